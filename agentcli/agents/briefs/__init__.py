"""The briefs agent: drafts of video briefs, and the API that they are submitted to."""
