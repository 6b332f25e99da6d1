/**
 * A program that uses types generated from the OpenAPI description: `client.mjs <station> <email> <password>` signs in,
 * posts a chat message and prints its id. It is compiled strictly, so wrong or missing types fail the test.
 */
export const CLIENT_SOURCE = `
import { randomUUID } from 'node:crypto'
import createClient from 'openapi-fetch'
import type { paths } from './schema.ts'

const [baseUrl = '', email = '', password = ''] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl })

const session = await client.POST('/auth/v1/token', {
  params: { query: { grant_type: 'password' } },
  body: { email, password },
})
if (session.data === undefined) throw new Error(session.error.message ?? session.error.msg)
const token: string = session.data.access_token

const posted = await client.POST('/api/chat/channels/{id}/messages', {
  params: { path: { id: 'default' } },
  headers: { authorization: \`Bearer \${token}\` },
  body: { clientId: randomUUID(), message: 'Hello from a typed client' },
})
if (posted.data === undefined) throw new Error(posted.error.message)
if ('heldId' in posted.data) throw new Error('The message is held.')
const id: string = posted.data.id
console.log(id)
`
