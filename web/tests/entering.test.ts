import { describe, expect, it } from 'vitest'
import { isWebAddress, likelyName, toServer, words } from '@/components/settings/entering'

describe('an MCP server as a person enters it', () => {
  it('is a command with its arguments and variables', () => {
    const entered = { name: ' time ', target: 'uvx mcp-server-time --zone "Europe/Berlin"', more: 'KEY=${MY_KEY}\n\nA = b=c' }
    expect(toServer(entered)).toEqual({
      name: 'time',
      command: 'uvx',
      args: ['mcp-server-time', '--zone', 'Europe/Berlin'],
      env: { KEY: '${MY_KEY}', A: 'b=c' },
    })
  })

  it('is an address with its headers', () => {
    const entered = { name: 'docs', target: ' https://example.com/mcp ', more: 'Authorization: Bearer ${T}' }
    expect(toServer(entered)).toEqual({ name: 'docs', url: 'https://example.com/mcp', headers: { Authorization: 'Bearer ${T}' } })
  })

  it('gets a likely name', () => {
    const cases: Record<string, string> = {
      'uvx mcp-server-time': 'time',
      'npx -y @modelcontextprotocol/server-github': 'github',
      'npx -y @upstash/context7-mcp@latest': 'context7',
      'https://mcp.deepwiki.com/mcp': 'deepwiki',
      'https://example.com:8000/x': 'example',
      'python tools/weather.py': 'weather',
      '': '',
    }
    for (const [target, name] of Object.entries(cases)) expect([target, likelyName(target)]).toEqual([target, name])
  })

  it('is split as a shell does it', () => {
    expect(words(`a "b c" 'd "e"' "f\\"g"`)).toEqual(['a', 'b c', 'd "e"', 'f"g'])
  })

  it('is opened only where it is an address of the web', () => {
    expect(['https://a.b', 'HTTP://a', 'javascript:alert(1)', ' data:text/html,x', ''].map(isWebAddress)).toEqual([true, true, false, false, false])
  })
})
