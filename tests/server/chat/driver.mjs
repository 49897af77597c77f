// The AI SDK's own chat, driven in lines of JSON: each line asks for one thing, each answer bears its number.
import { createInterface } from "node:readline";
import { Chat } from "@ai-sdk/vue";
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses as isAnswered,
  readUIMessageStream,
} from "ai";

const chats = new Map();

class Watched extends DefaultChatTransport {
  // Every chunk that passes is kept, and every state that a tool part goes through.
  chunks = [];
  processResponseStream(stream) {
    const { chunks } = this;
    return super.processResponseStream(stream).pipeThrough(
      new TransformStream({
        transform(chunk, controller) {
          chunks.push(chunk);
          controller.enqueue(chunk);
        },
      }),
    );
  }
}

const transportOf = ({ url, token, body, onlyLast }) =>
  new Watched({
    api: `${url}/api/chat`,
    headers: { authorization: `Bearer ${token}` },
    body,
    prepareSendMessagesRequest: onlyLast
      ? ({ id, messages, trigger, messageId }) => ({
          body: { ...body, id, trigger, messageId, message: messages.at(-1) },
        })
      : undefined,
  });

const does = {
  open({ name, id, messages, auto, rereads, ...rest }) {
    const transport = transportOf(rest);
    const seen = { data: [], errors: [], finishes: [] };
    let hasRetracted = false;
    const chat = new Chat({
      id,
      messages,
      transport,
      sendAutomaticallyWhen: auto ? isAnswered : undefined,
      onData: (part) => {
        seen.data.push(part);
        hasRetracted ||= part.type === "data-retracted";
      },
      onError: (error) => seen.errors.push(error.message),
      onFinish: ({ isAbort, isError, finishReason }) => {
        seen.finishes.push({ isAbort, isError, finishReason });
        if (rereads && hasRetracted) seen.reread = reread();
        hasRetracted = false;
      },
    });
    // As the documentation says it: what was taken back is not in the history.
    const reread = async () => {
      const answer = await fetch(`${rest.url}/api/sessions/${id}/messages`, {
        headers: { authorization: `Bearer ${rest.token}` },
      });
      chat.messages = (await answer.json()).messages;
    };
    chats.set(name, { chat, transport, seen });
  },
  state({ name }) {
    const { chat, transport, seen } = chats.get(name);
    return { status: chat.status, messages: chat.messages, chunks: transport.chunks, ...seen };
  },
  async send({ name, message }) {
    const { chat, seen } = chats.get(name);
    await chat.sendMessage(message);
    await seen.reread;
    return does.state({ name });
  },
  async regenerate({ name, messageId }) {
    await chats.get(name).chat.regenerate({ messageId });
    return does.state({ name });
  },
  async approve({ name, answers }) {
    const { chat, seen } = chats.get(name);
    const before = seen.finishes.length;
    for (const answer of answers) await chat.addToolApprovalResponse(answer);
    // It sends by itself, and nobody can await that: its end is the next finish.
    while (seen.finishes.length === before || chat.status === "streaming" || chat.status === "submitted")
      await new Promise((resolve) => setTimeout(resolve, 2));
    return does.state({ name });
  },
  async resume({ name }) {
    await chats.get(name).chat.resumeStream();
    return does.state({ name });
  },
  async stop({ name }) {
    await chats.get(name).chat.stop();
    return does.state({ name });
  },
  async read({ chatId, messages, trigger, ...rest }) {
    const transport = transportOf(rest);
    const stream = await transport.sendMessages({ chatId, messages, trigger: trigger ?? "submit-message" });
    let message;
    let versions = 0;
    for await (message of readUIMessageStream({ stream, onError: () => {} })) versions += 1;
    return { message, versions, chunks: transport.chunks };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { number, op, ...given } = JSON.parse(line);
  Promise.resolve()
    .then(() => does[op](given))
    .then((told) => ({ told: told ?? null }))
    .catch((error) => ({ error: `${error.name}: ${error.message}` }))
    .then((answer) => process.stdout.write(`${JSON.stringify({ number, ...answer })}\n`));
}
