/** Where the page is, kept in its address: a chat, a new one, or the settings. */

import { computed, ref, watch } from 'vue'

const hash = ref(location.hash)
window.addEventListener('hashchange', () => (hash.value = location.hash))

export const chatId = computed(() => /^#\/c\/([\w-]+)/.exec(hash.value)?.[1])
export const isSettings = computed(() => hash.value.startsWith('#/settings'))

/** Where to go back to from the settings. */
export const lastChat = ref('/')
watch(chatId, (id) => (lastChat.value = isSettings.value ? lastChat.value : id ? `/c/${id}` : '/'), { immediate: true, flush: 'sync' })

export function goTo(place: string): void {
  location.hash = place
}

export function toChat(id: string): void {
  goTo(`/c/${id}`)
}
