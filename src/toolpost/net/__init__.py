"""The HTTP client: HTTP/1.1 on asyncio and httptools, for model servers, web tools and downloads alike."""
