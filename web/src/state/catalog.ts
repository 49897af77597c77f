/** What this server offers: models, agents, tools, commands, MCP servers. Asked for once, and again when it may have changed. */

import { computed, ref } from 'vue'
import { api } from '@/api/client'
import type { AgentEntry, CommandEntry, Me, ModelEntry, ModelList, ServerEntry, ToolEntry } from '@/api/types'
import type { Entry } from '@/components/picking'
import { fill, t } from '@/i18n'
import { en as english } from '@/i18n/en'
import { hasAccounts } from './account'

const EMBEDDED = 'embedded/'

export const me = ref<Me>()
export const models = ref<ModelList>()
export const agents = ref<AgentEntry[]>([])
export const commands = ref<CommandEntry[]>([])
export const tools = ref<ToolEntry[]>([])
export const servers = ref<ServerEntry[]>([])
/** There are others than oneself to look after. */
export const isAdminOfOthers = computed(() => Boolean(me.value?.is_admin && (hasAccounts.value || me.value.user)))
/** Without any key a small model on the server's own machine answers. */
export const isEmbedded = computed(() => me.value?.model.startsWith(EMBEDDED) ?? false)

/** As pickers show them: what each can take, and how it is asked for calls. */
export const modelEntries = computed(() => (models.value?.models ?? []).map(modelEntry))
const ofProviders = new Map<string, Promise<ModelEntry[]>>()

/** After `provider/` all models of that provider, as it lists them, and what was typed itself. */
export async function moreModels(query: string): Promise<Entry[]> {
  const [provider, name] = query.split('/')
  if (!provider || name === undefined) return []
  const asked = ofProviders.get(provider) ?? api.get<ModelList>('/api/models', { provider }).then((given) => given.models)
  ofProviders.set(provider, asked)
  const found = await asked.catch(() => {
    ofProviders.delete(provider)
    return []
  })
  const typed = name && !found.some((entry) => entry.id === query) ? [{ id: query, title: query, note: t.settings.typedModel }] : []
  return [...found.map(modelEntry), ...typed]
}

/** A built-in agent that nobody described anew is described in the page's language. */
function noteOf(entry: AgentEntry): string {
  const name = entry.name as keyof typeof english.agents
  return entry.description === english.agents[name] ? t.agents[name] : entry.description
}

export const agentEntries = computed(() =>
  agents.value
    .filter((entry) => entry.mode !== 'subagent')
    .map((entry) => ({ id: entry.name, title: entry.name, note: noteOf(entry), mark: entry.is_read_only ? t.settings.readOnly : '' })),
)

export async function loadCatalog(): Promise<void> {
  const asked = [
    api.get<Me>('/api/me').then((given) => (me.value = given)),
    loadModels(),
    api.get<{ agents: AgentEntry[] }>('/api/agents').then((given) => (agents.value = given.agents)),
    api.get<{ commands: CommandEntry[] }>('/api/commands').then((given) => (commands.value = given.commands)),
  ]
  await Promise.allSettled(asked)
}

/** `fresh`: after a key was given or taken, which the server would notice a little later. */
export async function loadModels(fresh = false): Promise<void> {
  models.value = await api.get<ModelList>('/api/models', fresh ? { fresh } : {})
}

export async function loadTools(): Promise<void> {
  const [known] = await Promise.all([api.get<{ tools: ToolEntry[] }>('/api/tools'), loadServers()])
  tools.value = known.tools
}

export async function loadServers(): Promise<void> {
  servers.value = (await api.get<{ servers: ServerEntry[] }>('/api/mcp')).servers
}

function modelEntry(entry: ModelEntry): Entry {
  const window = entry.context_window ? fill(t.settings.window, { tokens: thousands(entry.context_window) }) : ''
  return { id: entry.id, title: entry.id, note: entry.problem || window, mark: entry.tool_calls ? t.settings[entry.tool_calls] : '' }
}

function thousands(count: number): string {
  return `${Math.round(count / 1000)}k`
}
