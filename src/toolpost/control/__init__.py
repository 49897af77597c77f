"""What a person does with sessions, for the terminal and for editors: the contract, and sessions of a server."""
