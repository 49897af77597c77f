// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Chat } from '@/state/chat'
import type { Chunk } from '@/wire/assembly'
import { textOf, type Message, type ToolPart } from '@/wire/parts'
import MessageView from '@/components/MessageView.vue'
import RunNotices from '@/components/RunNotices.vue'
import { Server, Stream } from './chat_server'
import { mount } from './mounted'

let server: Server
let chat: Chat
beforeEach(() => {
  server = new Server()
  chat = new Chat('session')
})
afterEach(() => {
  chat.leave()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const PROMPT: Chunk = { type: 'data-prompt', data: { id: 'msg_1', parts: [{ type: 'text', text: 'Hi' }] }, transient: true }
const START: Chunk[] = [PROMPT, { type: 'start', messageId: 'msg_2' }, { type: 'start-step' }, { type: 'text-start', id: '0' }]
const END: Chunk[] = [{ type: 'text-end', id: '0' }, { type: 'finish-step' }, { type: 'finish', finishReason: 'stop' }]
const said = (...texts: string[]): Chunk[] => texts.map((delta) => ({ type: 'text-delta', id: '0', delta }))
const texts = () => chat.messages.map((message) => textOf(message))
const user = (id: string, text: string): Message => ({ id, role: 'user', parts: [{ type: 'text', text, state: 'done' }] })
const answer = (id: string, text: string): Message => ({ id, role: 'assistant', parts: [{ type: 'text', text, state: 'done' }] })
const until = (check: () => void) => vi.waitFor(check, { timeout: 3000, interval: 5 })

function opened(): Stream {
  const stream = new Stream()
  server.streams.push(stream)
  return stream
}

test('a prompt is shown at once, gets its stored id, and its answer grows', async () => {
  const stream = opened()
  const sent = chat.send('Hi')
  expect(texts()).toEqual(['Hi'])
  expect(chat.status.value).toBe('submitted')
  stream.put(...START, ...said('Hel'))
  await until(() => expect(texts()).toEqual(['Hi', 'Hel']))
  expect(chat.messages.map((message) => message.id)).toEqual(['msg_1', 'msg_2'])
  stream.put(...said('lo'), ...END).done()
  await sent
  expect(texts()).toEqual(['Hi', 'Hello'])
  expect(chat.status.value).toBe('ready')
})

test('what was found for a question stands beside it, and its text stays what was written', async () => {
  const stream = opened()
  const sent = chat.send('Hi')
  const source = { type: 'source-url', sourceId: 'msg_1.1', url: 'https://lathe.example/', title: 'Lathes' }
  const prompt: Chunk = { type: 'data-prompt', data: { id: 'msg_1', parts: [{ type: 'text', text: 'Hi' }, source] }, transient: true }
  stream.put(prompt, ...START.slice(1), ...said('Hello'), ...END).done()
  await sent
  expect(texts()).toEqual(['Hi', 'Hello'])
  expect(chat.messages[0]!.parts.at(-1)).toEqual(source)
  const page = mount(MessageView, { message: chat.messages[0], isLast: false, chat })
  expect(page.querySelector('p')!.textContent).toBe('Hi')
  expect(page.querySelector('a')!.getAttribute('href')).toBe('https://lathe.example/')
  expect(page.querySelector('a')!.textContent).toContain('Lathes')
})

test('a lost stream goes on where it was: no gap, nothing twice, and never less than was shown', async () => {
  const [first, again] = [opened(), opened()]
  const sent = chat.send('Hi')
  first.put(...START, ...said('one ', 'two '))
  await until(() => expect(texts()).toEqual(['Hi', 'one two ']))
  first.lose()
  const seen: string[] = []
  const watching = setInterval(() => seen.push(texts()[1] ?? ''), 1)
  again.put(...START, ...said('one '))
  await new Promise((resolve) => setTimeout(resolve, 300))
  again.put(...said('two ', 'three'), ...END).done()
  await sent
  clearInterval(watching)
  expect(texts()).toEqual(['Hi', 'one two three'])
  expect(seen.every((text) => text.startsWith('one two '))).toBe(true)
  expect(seen.length).toBeGreaterThan(10)
})

test('where the run has ended meanwhile, the store says what has become of it', async () => {
  const first = opened()
  const sent = chat.send('Hi')
  first.put(...START, ...said('Hel'))
  await until(() => expect(texts()).toEqual(['Hi', 'Hel']))
  server.stored = [user('msg_1', 'Hi'), answer('msg_2', 'Hello')]
  first.lose()
  await sent
  expect(texts()).toEqual(['Hi', 'Hello'])
  expect([chat.status.value, chat.isLost.value]).toEqual(['ready', false])
})

test('what never arrived is kept, said so, and sent again when asked to', async () => {
  server.streams.push('broken')
  await chat.send('Hi')
  expect([chat.status.value, chat.failure.value?.code, texts()]).toEqual(['failed', 'unsent', ['Hi']])
  opened().put(...START, ...said('Hello'), ...END).done()
  await chat.retry()
  expect([chat.status.value, texts()]).toEqual(['ready', ['Hi', 'Hello']])
  expect(server.bodies.filter((body) => body.trigger === 'submit-message')).toHaveLength(2)
})

test('what arrived though its answer was lost is not sent again', async () => {
  server.streams.push('broken')
  opened().put(...START, ...said('Hello'), ...END).done()
  await chat.send('Hi')
  expect([chat.status.value, texts()]).toEqual(['ready', ['Hi', 'Hello']])
  expect(server.asked.filter((what) => what === 'POST /api/chat')).toHaveLength(1)
})

test('a server that stays away is looked for some times, and then it is said', async () => {
  vi.useFakeTimers()
  server.streams.push(...Array.from({ length: 50 }, () => 'broken' as const))
  const sent = chat.send('Hi')
  await vi.advanceTimersByTimeAsync(1000)
  expect(chat.isLost.value).toBe(true)
  await vi.advanceTimersByTimeAsync(60_000)
  await sent
  expect(chat.failure.value?.code).toBe('unreachable')
})

test('a page that comes back looks at once', async () => {
  vi.useFakeTimers()
  server.streams.push('broken', 'broken', 'broken', 'broken', 'broken')
  const stream = opened()
  const sent = chat.send('Hi')
  await vi.advanceTimersByTimeAsync(4000)
  expect(chat.isLost.value).toBe(true)
  stream.put(...START, ...said('Hello'), ...END).done()
  window.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(50)
  await sent
  expect(texts()).toEqual(['Hi', 'Hello'])
})

test('a connection that has gone silent is given up', async () => {
  vi.useFakeTimers()
  const [dead, again] = [opened(), opened()]
  const sent = chat.send('Hi')
  dead.put(...START, ...said('Hel'))
  await vi.advanceTimersByTimeAsync(39_000)
  expect(chat.isLost.value).toBe(false)
  again.put(...START, ...said('Hello'), ...END).done()
  await vi.advanceTimersByTimeAsync(2000)
  await sent
  expect(texts()).toEqual(['Hi', 'Hello'])
})

const CALL: Chunk[] = [
  PROMPT,
  { type: 'start', messageId: 'msg_2' },
  { type: 'start-step' },
  { type: 'tool-input-available', toolCallId: 'a', toolName: 'bash', input: { command: 'ls' } },
]
const progress = (text: string): Chunk => ({ type: 'data-progress', data: { callId: 'a', text }, transient: true })

test('what a call has shown is not there twice after a replay', async () => {
  const [first, again] = [opened(), opened()]
  const sent = chat.send('Hi')
  first.put(...CALL, progress('one\n'))
  await until(() => expect(chat.progress.a).toBe('one\n'))
  first.lose()
  again.put(...CALL, progress('one\n'), progress('two\n'))
  await until(() => expect(chat.progress.a).toBe('one\ntwo\n'))
  again.put({ type: 'tool-output-available', toolCallId: 'a', output: 'x' }, { type: 'finish' }).done()
  await sent
})

const ASK: Chunk[] = [
  { type: 'data-permission', id: 'ask_1', data: { permission: 'bash', patterns: ['ls'], always: [], toolCallId: 'a' }, transient: true },
  { type: 'tool-approval-request', approvalId: 'ask_1', toolCallId: 'a' },
]

test('an ask that somebody answers anywhere is answered here', async () => {
  const stream = opened()
  const sent = chat.send('Hi')
  stream.put(...CALL, ...ASK)
  const part = () => chat.messages[1]?.parts.find((one) => 'toolCallId' in one) as ToolPart
  await until(() => expect(part().state).toBe('approval-requested'))
  stream.put({ type: 'data-permission', id: 'ask_1', data: { reply: 'reject', message: 'not now' }, transient: true })
  await until(() => expect(part().state).toBe('approval-responded'))
  expect(part().approval).toEqual({ id: 'ask_1', approved: false, reason: 'not now' })
  stream.put({ type: 'tool-output-denied', toolCallId: 'a' }, { type: 'finish' }).done()
  await sent
  expect(chat.asks.ask_1).toMatchObject({ permission: 'bash', reply: 'reject' })
})

test('after the end of a run nothing of it is open', async () => {
  const stream = opened()
  const sent = chat.send('Hi')
  stream.put(...CALL, ...ASK, { type: 'data-question', id: 'q', data: { questions: [] }, transient: true })
  await until(() => expect(chat.asks.ask_1).toBeDefined())
  stream.put({ type: 'abort' }).done()
  await sent
  expect(chat.asks).toEqual({})
  expect(chat.questions.q?.dismissed).toBe(true)
})

test('a chat that runs is opened as far as it is, and goes on without going back', async () => {
  server.stored = [user('msg_1', 'Hi'), { ...answer('msg_2', 'Hello'), parts: [{ type: 'step-start' }, { type: 'text', text: 'Hello', state: 'streaming' }] }]
  server.session.is_running = true
  const stream = opened()
  const loaded = chat.load()
  await until(() => expect(texts()).toEqual(['Hi', 'Hello']))
  stream.put(...START, ...said('He'))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(texts()).toEqual(['Hi', 'Hello'])
  server.session.is_running = false
  stream.put(...said('llo you'), ...END).done()
  await loaded
  expect(texts()).toEqual(['Hi', 'Hello you'])
})

test('an answer whose first attempt failed, and so has another id in the store, is not shown twice', async () => {
  server.stored = [user('msg_1', 'Hi'), answer('msg_9', 'Hel')]
  opened().put(...START, ...said('Hello'), ...END).done()
  await chat.load()
  expect(texts()).toEqual(['Hi', 'Hello'])
})

test('a run that began elsewhere shows what was said there', async () => {
  await chat.load()
  server.stored = [user('msg_1', 'Hi')]
  server.session = { ...server.session, seq: 5, is_running: true }
  opened().put(...START, ...said('Hello'), ...END).done()
  window.dispatchEvent(new Event('online'))
  await until(() => expect(texts()).toEqual(['Hi', 'Hello']))
  server.session.is_running = false
})

test('what is queued is shown until it is said, and its run is followed', async () => {
  const [first, second] = [opened(), opened()]
  const sent = chat.send('Hi')
  first.put(...START, ...said('Hello'))
  await until(() => expect(texts()).toEqual(['Hi', 'Hello']))
  await chat.put('And then?', false)
  expect(chat.queued).toEqual([{ text: 'And then?', steer: false }])
  server.session = { ...server.session, waiting: 1, is_running: true }
  second.put({ type: 'data-prompt', data: { id: 'msg_3', parts: [{ type: 'text', text: 'And then?' }] }, transient: true }, { type: 'start', messageId: 'msg_4' }, { type: 'text-start', id: '0' }, ...said('Bye'), ...END)
  first.put(...END).done()
  await sent
  await until(() => expect(texts()).toEqual(['Hi', 'Hello', 'And then?', 'Bye']))
  expect(chat.queued).toEqual([])
  server.session = { ...server.session, waiting: 0, is_running: false }
  second.done()
  await until(() => expect(chat.status.value).toBe('ready'))
})

test('what steers stands inside of the answer, and waits no more', async () => {
  const stream = opened()
  const sent = chat.send('Hi')
  stream.put(...START, ...said('Hello'))
  await until(() => expect(chat.messages).toHaveLength(2))
  await chat.put('Faster', true)
  stream.put({ type: 'data-steer', id: 'msg_3', data: { parts: [{ type: 'text', text: 'Faster' }] } }, ...END).done()
  await sent
  expect(chat.queued).toEqual([])
  expect(chat.messages[1]?.parts.map((part) => part.type)).toContain('data-steer')
})

test('an error that the message has is told there, another one by the chat', async () => {
  const first = opened()
  first.put(...START, { type: 'message-metadata', messageMetadata: { error: { code: 'rate_limit', message: 'too many' } } }, { type: 'error', errorText: 'too many' }).done()
  await chat.send('Hi')
  expect([chat.status.value, chat.failure.value]).toEqual(['ready', undefined])
  opened().put(PROMPT, { type: 'error', errorText: 'no model' }).done()
  await chat.send('Hi')
  expect([chat.status.value, chat.failure.value]).toEqual(['failed', { code: 'model', text: 'no model' }])
})

test('after a login that was lost in the middle, the chat is looked at, and nothing is asked twice', async () => {
  opened().put(...START, ...END).done()
  await chat.send('Hi')
  chat.failure.value = { code: 'login_needed', kind: 'authentication', text: '', words: '' }
  server.asked.length = 0
  await chat.retry()
  expect(server.asked.filter((one) => one.startsWith('POST'))).toEqual([])
  expect(chat.failure.value).toBeUndefined()
})

test('a step that is tried again is told until something comes', async () => {
  const stream = opened()
  const sent = chat.send('Hi')
  stream.put(PROMPT, { type: 'data-retry', data: { attempt: 1, delay: 2, nextAt: 0, error: { code: 'x', message: 'busy' } }, transient: true })
  await until(() => expect(chat.retrying.value?.error.message).toBe('busy'))
  stream.put(...START.slice(1))
  await until(() => expect(chat.retrying.value).toBeUndefined())
  stream.put(...END).done()
  await sent
})

test('what a small window does to a run is told until the next run begins', async () => {
  const stream = opened()
  const notice = { code: 'tools_left_out', text: 'not offered: bash', data: { tools: ['bash'] } }
  const sent = chat.send('Hi')
  stream.put(PROMPT, { type: 'data-notice', data: notice, transient: true }, ...START.slice(1), ...END).done()
  await sent
  expect(chat.notices).toEqual([notice])
  opened().put({ type: 'data-session', data: { id: 'ses_1', title: '', run: 'run_2', model: 'm' }, transient: true }, ...START, ...END).done()
  await chat.send('Again')
  expect(chat.notices).toEqual([])
})

test('another version is the newest branch below it', async () => {
  server.stored = [user('msg_1', 'Hi')]
  await chat.load()
  await chat.choose('msg_7')
  expect(server.bodies.at(-1)).toEqual({ at: 'msg_7', below: true })
})

test('a message is deleted by going to the one before it, and can come back', async () => {
  server.stored = [user('msg_1', 'Hi'), answer('msg_2', 'Hello')]
  server.tree = [{ id: 'msg_1', parent: null }, { id: 'msg_2', parent: 'msg_1' }]
  await chat.load()
  server.stored = server.stored.slice(0, 1)
  await chat.remove('msg_2')
  expect(server.bodies.at(-1)).toEqual({ at: 'msg_1', below: false })
  expect([texts(), chat.removed.value]).toEqual([['Hi'], 'head'])
  await chat.restore()
  expect(server.bodies.at(-1)).toEqual({ at: 'head', below: false })
  await expect(chat.remove('msg_5')).rejects.toThrow('msg_5')
})

test('a long chat is opened at its end, and the rest comes when it is wanted', async () => {
  server.stored = Array.from({ length: 150 }, (_, number) => user(`msg_${number}`, String(number)))
  await chat.load()
  expect([chat.messages.length, texts().at(-1), chat.hasOlder.value]).toEqual([60, '149', true])
  await chat.loadOlder()
  expect([chat.messages.length, texts()[0], chat.hasOlder.value]).toEqual([120, '30', true])
  await chat.loadOlder()
  expect([chat.messages.length, texts()[0], chat.hasOlder.value]).toEqual([150, '0', false])
})

test('who leaves hears nothing more', async () => {
  const stream = opened()
  const sent = chat.send('Hi')
  stream.put(...START, ...said('Hel'))
  await until(() => expect(texts()).toEqual(['Hi', 'Hel']))
  chat.leave()
  await sent
  expect(server.asked).toEqual(['POST /api/chat'])
})

const parked = (reason: string): Chunk => ({ type: 'data-parked', data: { reason }, transient: true })
const SESSION: Chunk = { type: 'data-session', data: { id: 'session' }, transient: true }

test('a run that was interrupted is no failure: it says so, and goes on when a person wants it', async () => {
  server.session = { ...server.session, state: 'interrupted' }
  server.stored = [user('msg_1', 'Hi')]
  const before = opened()
  before.put(SESSION, ...START, ...said('half '), parked('interrupted'), { type: 'error', errorText: 'The process has ended.' }).done()
  await chat.load()
  expect([texts(), chat.paused.value, chat.status.value, chat.failure.value]).toEqual([['Hi', 'half '], 'interrupted', 'ready', undefined])
  const notices = mount(RunNotices, { chat })
  expect(notices.textContent).toContain('It can go on where it stopped')
  const after = opened()
  after.put(SESSION, ...START, ...said('half '), parked('interrupted'), { type: 'data-resumed', data: { run: 'run_1' }, transient: true })
  after.put({ type: 'reset-step' }, { type: 'text-start', id: '1' }, { type: 'text-delta', id: '1', delta: 'whole' }, { type: 'text-end', id: '1' })
  after.put({ type: 'finish-step' }, { type: 'finish', finishReason: 'stop' }).done()
  server.session = { ...server.session, state: 'idle' }
  notices.querySelector('button')!.click()
  await until(() => expect(texts()).toEqual(['Hi', 'whole']))
  expect(server.asked).toContain('POST /api/sessions/session/resume')
  await until(() => expect(chat.paused.value).toBeUndefined())
})

test('the stream of a server that stops is looked for at the next one', async () => {
  const [first, again] = [opened(), opened()]
  const sent = chat.send('Hi')
  first.put(SESSION, ...START, ...said('one '))
  await until(() => expect(texts()).toEqual(['Hi', 'one ']))
  first.put(parked('released'), { type: 'error', errorText: 'the server is stopping' }).done()
  await until(() => expect(chat.paused.value).toBe('released'))
  expect(chat.failure.value).toBeUndefined()
  again.put(SESSION, ...START, ...said('one '), parked('released'), { type: 'data-resumed', data: { run: 'run_1' }, transient: true })
  again.put(...said('two'), ...END).done()
  await sent
  expect([texts(), chat.status.value, chat.paused.value]).toEqual([['Hi', 'one two'], 'ready', undefined])
})

test('a run that waits for its turn says so until it has come', async () => {
  server.session = { ...server.session, state: 'queued', is_running: true }
  server.stored = [user('msg_1', 'Hi')]
  const stream = opened()
  const loading = chat.load()
  await until(() => expect(chat.paused.value).toBe('queued'))
  stream.put(SESSION, ...START, ...said('Hello'), ...END).done()
  await loading
  expect([texts(), chat.paused.value]).toEqual([['Hi', 'Hello'], undefined])
})
