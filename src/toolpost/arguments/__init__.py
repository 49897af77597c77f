"""Tool call arguments: parse, repair names, coerce to a schema, validate; and checks of the SDK's own arguments."""
