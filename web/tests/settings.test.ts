// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'
import type { Me } from '@/api/types'
import KeysSection from '@/components/settings/KeysSection.vue'
import PermissionsSection from '@/components/settings/PermissionsSection.vue'
import ServersSection from '@/components/settings/ServersSection.vue'
import { fill, setLanguage } from '@/i18n'
import { en } from '@/i18n/en'
import { zh } from '@/i18n/zh'
import { me, servers } from '@/state/catalog'
import { toasts } from '@/state/toasts'
import { answers } from './answers'
import { button, mount } from './mounted'

const KEY = 'sk-nobody-reads-this'
const openai = { name: 'openai', key: 'missing', variable: 'OPENAI_API_KEY', problem: '' }

beforeEach(() => {
  me.value = { is_admin: true } as Me
  servers.value = []
  toasts.value = []
})

describe('keys', () => {
  it('are sent once, and stand nowhere afterwards', async () => {
    answers({
      'GET /api/settings/keys': { body: { keyring: 'SecretService', providers: [openai], search: [] } },
      'PUT /api/settings/keys/openai': { body: { ...openai, key: 'keyring' } },
      'GET /api/models': { body: { default: '', models: [] } },
    })
    const asked = vi.fn(globalThis.fetch)
    vi.stubGlobal('fetch', asked)
    const page = mount(KeysSection)
    await expect.poll(() => page.textContent).toContain('No key yet')
    button('Add key').click()
    await nextTick()
    const field = page.querySelector('input') as HTMLInputElement
    expect(field.type).toBe('password')
    field.value = ` ${KEY} `
    field.dispatchEvent(new Event('input'))
    page.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }))
    await expect.poll(() => toasts.value.length).toBe(1)
    const put = asked.mock.calls.find(([, init]) => init?.method === 'PUT')
    expect(put?.[1]?.body).toBe(JSON.stringify({ key: KEY }))
    await nextTick()
    expect(page.querySelector('input')).toBeNull()
    expect(document.documentElement.outerHTML + JSON.stringify(localStorage)).not.toContain(KEY)
  })

  it('are set in the environment where there is no keyring', async () => {
    answers({ 'GET /api/settings/keys': { body: { keyring: null, providers: [openai], search: [] } } })
    const page = mount(KeysSection)
    await expect.poll(() => page.textContent).toContain('OPENAI_API_KEY')
    expect(page.textContent).toContain('has no keyring')
    expect(page.querySelector('button')).toBeNull()
  })

  it.each(['en', 'zh'] as const)('of web search have a row of their own (%s)', async (language) => {
    setLanguage(language)
    const { keys } = language === 'en' ? en : zh
    const tavily = { name: 'tavily', key: 'missing', variable: 'TAVILY_API_KEY', problem: '' }
    const asked = answers({
      'GET /api/settings/keys': { body: { keyring: 'SecretService', providers: [], search: [tavily] } },
      'PUT /api/settings/keys/tavily': { body: { ...tavily, key: 'keyring' } },
    })
    const page = mount(KeysSection)
    await expect.poll(() => page.textContent).toContain(keys.search)
    expect(page.textContent).toContain(keys.searchWithout)
    button(keys.add).click()
    await nextTick()
    const field = page.querySelector('input') as HTMLInputElement
    field.value = KEY
    field.dispatchEvent(new Event('input'))
    page.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true }))
    await expect.poll(() => toasts.value[0]?.text).toBe(fill(keys.searchSaved, { provider: 'tavily' }))
    expect(asked).not.toContain('GET /api/models')
    setLanguage('en')
  })

  it('are for admins', async () => {
    me.value = { is_admin: false } as Me
    const asked = answers({})
    expect(mount(KeysSection).textContent).toContain('Only an admin')
    expect(asked).toEqual([])
  })
})

describe('MCP servers', () => {
  const gone = { name: 'gone', state: 'needs_login', transport: 'http', error: 'it wants a login', tools: 0, server: '' }
  const listed = { file: '/home/mcp.json', servers: [{ name: 'gone', place: 'user', file: '/home/mcp.json', what: 'https://gone/mcp' }] }

  it.each([
    ['https://login.example/authorize?x=1', 'https://login.example/authorize?x=1'],
    ['javascript:alert(1)', undefined],
  ])('are logged in to at %s only where that is an address of the web', async (url, link) => {
    answers({
      'GET /api/mcp': { body: { servers: [gone] } },
      'GET /api/settings/mcp': { body: listed },
      'POST /api/settings/mcp/gone/login': { body: { url } },
    })
    const page = mount(ServersSection)
    await expect.poll(() => page.textContent).toContain('https://gone/mcp')
    button('Log in').click()
    await expect.poll(() => page.querySelector('a')?.href ?? toasts.value[0]?.text).toBe(link ?? 'gone needs no login.')
  })

  it('are removed only from the user’s own file', async () => {
    const foreign = { ...listed, servers: [{ ...listed.servers[0], place: 'project' }] }
    answers({ 'GET /api/mcp': { body: { servers: [gone] } }, 'GET /api/settings/mcp': { body: foreign } })
    const page = mount(ServersSection)
    await expect.poll(() => page.textContent).toContain('https://gone/mcp')
    expect(() => button('Remove')).toThrow()
    expect(button('Restart')).toBeTruthy()
  })
})

describe('permissions', () => {
  it('are listed and taken back', async () => {
    const approval = { id: 'a1', permission: 'bash', pattern: 'ls *', time: 1 }
    const asked = answers({
      'GET /api/permissions': { body: { approvals: [approval], rules: [{ permission: 'edit', pattern: '*', action: 'ask', source: '' }] } },
      'DELETE /api/permissions/a1': { status: 204 },
    })
    const page = mount(PermissionsSection)
    await expect.poll(() => page.textContent).toContain('bash: ls *')
    button('Revoke').click()
    await expect.poll(() => asked.filter((one) => one === 'GET /api/permissions').length).toBe(2)
    expect(asked).toContain('DELETE /api/permissions/a1')
  })
})
