// A provider of OpenID Connect with a login page that takes any name. Prints its address, and ends with its input.
import http from 'node:http'
import { Provider } from 'oidc-provider'

const { redirect, groups, claimsIn = 'userinfo', secret } = JSON.parse(process.argv[2])
let known = groups

const server = http.createServer()
await new Promise((done) => server.listen(0, '127.0.0.1', done))
const issuer = `http://127.0.0.1:${server.address().port}`

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'toolpost',
      ...(secret ? { client_secret: secret } : { token_endpoint_auth_method: 'none' }),
      redirect_uris: [redirect],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
  ],
  claims: { openid: ['sub'], profile: ['preferred_username', 'groups'] },
  conformIdTokenClaims: claimsIn === 'userinfo',
  features: { devInteractions: { enabled: false } },
  pkce: { required: () => true },
  cookies: { keys: ['a key of the tests'] },
  interactions: { url: (ctx, interaction) => `${issuer}/as/${interaction.uid}` },
  async findAccount(ctx, sub) {
    return {
      accountId: sub,
      claims: async () => ({ sub, preferred_username: known[sub]?.name ?? sub, groups: known[sub]?.groups ?? [] }),
    }
  },
})

// In place of a login page: the header says who logs in.
const callback = provider.callback()
server.on('request', async (request, response) => {
  if (!request.url.startsWith('/as/')) return callback(request, response)
  const details = await provider.interactionDetails(request, response)
  const sub = request.headers['x-person']
  if (!sub) return provider.interactionFinished(request, response, { error: 'access_denied' })
  const grant = new provider.Grant({ accountId: sub, clientId: details.params.client_id })
  grant.addOIDCScope(details.params.scope)
  const grantId = await grant.save()
  await provider.interactionFinished(request, response, { login: { accountId: sub }, consent: { grantId } })
})

process.stdin.on('data', (data) => {
  known = JSON.parse(data)
  console.log('known')
})
process.stdin.on('end', () => process.exit(0))
console.log(issuer)
