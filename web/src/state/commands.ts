/** Commands that the page itself carries out. */

import { computed } from 'vue'
import { api } from '@/api/client'
import type { SessionView } from '@/api/types'
import { t } from '@/i18n'
import type { Chat } from './chat'
import { goTo, toChat } from './place'
import { put } from './sessions'
import { say } from './toasts'

interface OwnCommand {
  run(chat: Chat | undefined): Promise<void>
}

const OWN: Record<'new' | 'compact' | 'fork' | 'settings', OwnCommand> = {
  new: { run: async () => goTo('/') },
  settings: { run: async () => goTo('/settings') },
  compact: {
    async run(chat) {
      const done = chat && (await api.post<{ is_compacted: boolean }>(`/api/sessions/${chat.id}/compact`))
      say(done?.is_compacted ? t.commands.compacted : t.commands.nothing)
    },
  },
  fork: {
    async run(chat) {
      if (!chat) return void say(t.commands.nothing)
      const copy = await api.post<SessionView>(`/api/sessions/${chat.id}/fork`)
      put(copy)
      toChat(copy.id)
      say(t.commands.forked)
    },
  },
}

export const ownCommands = computed(() =>
  Object.keys(OWN).map((name) => ({ name, description: t.commands.about[name as keyof typeof OWN] })),
)

export function ownCommand(name: string): OwnCommand | undefined {
  return Object.hasOwn(OWN, name) ? OWN[name as keyof typeof OWN] : undefined
}
