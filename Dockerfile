# The server with its web page: built in stages, so that the image has neither Node nor compilers; it runs as nobody special.

FROM node:22-bookworm-slim AS page
WORKDIR /build/web
COPY web/package.json web/package-lock.json ./
RUN npm install --no-save --silent --no-audit --no-fund --ignore-scripts
COPY web/ ./
RUN npx vite build --logLevel error --outDir /build/page --emptyOutDir

FROM python:3.13-slim-bookworm AS build
WORKDIR /build
COPY requirements/uv.txt requirements/dev.txt requirements/
RUN pip install --quiet --no-cache-dir --require-hashes -r requirements/uv.txt
COPY pyproject.toml README.md LICENSE ./
COPY src/ src/
COPY --from=page /build/page/ src/toolpost/server/page/
RUN uv build --quiet --wheel --build-constraint requirements/dev.txt --out-dir dist .
RUN uv venv --quiet /opt/toolpost
# At the versions that were tested.
RUN uv pip install --quiet --no-cache --compile-bytecode --python /opt/toolpost --constraint requirements/dev.txt "$(ls dist/*.whl)[mcp,otel,postgres,redis,search,server,temporal]"

FROM python:3.13-slim-bookworm
RUN useradd --uid 10001 --create-home --home-dir /data toolpost && install -d -o toolpost -g toolpost /project
COPY --from=build /opt/toolpost /opt/toolpost
ENV PATH=/opt/toolpost/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    TOOLPOST_CACHE_DIR=/data/cache \
    TOOLPOST_CONFIG_DIR=/etc/toolpost \
    TOOLPOST_DATA_DIR=/data
USER 10001:10001
# The folder that is served: its own tools, agents and skills, if it has some.
WORKDIR /project
VOLUME ["/data"]
EXPOSE 8642
# Without a proxy, whatever the environment says.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import http.client as h; c = h.HTTPConnection('127.0.0.1', 8642, timeout=4); c.request('GET', '/healthz'); raise SystemExit(c.getresponse().status != 200)"]
ENTRYPOINT ["toolpost"]
CMD ["serve", "--host", "0.0.0.0"]
