// Starts the gateway of @musistudio/llms in front of one upstream: serve.cjs PORT BASE_URL
const { default: Server } = require("@musistudio/llms");

const [port, base] = process.argv.slice(2);
const provider = { name: "bench", api_base_url: `${base}/chat/completions`, api_key: "sk-x", models: ["any"] };
const config = { providers: [provider], HOST: "127.0.0.1", PORT: Number(port) };
new Server({ initialConfig: config, logger: false }).start();
