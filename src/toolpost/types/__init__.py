"""The words of Toolpost, without behaviour: messages, stream events, events, errors."""
