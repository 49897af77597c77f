"""Accounts: people with roles who log in with a password, or through a provider of OpenID Connect."""
