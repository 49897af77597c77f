/** Where a message stands in the tree of a conversation. */

import { api } from '@/api/client'

interface TreePage {
  messages: { id: string; parent: string | null }[]
  next: string | null
}

/** The message that it follows; null where it is the first. */
export async function parentOf(session: string, messageId: string): Promise<string | null> {
  for (let after = ''; ; ) {
    const page = await api.get<TreePage>(`/api/sessions/${session}/tree`, { after })
    const found = page.messages.find((message) => message.id === messageId)
    if (found) return found.parent
    if (!page.next) throw new Error(`there is no message ${messageId}`)
    after = page.next
  }
}
