"""The shared data types of Toolpost, without behaviour: messages, stream events, events, errors."""
