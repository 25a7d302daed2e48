"""Properties of the whole engine: what holds whatever a model, a hook or a person does."""
