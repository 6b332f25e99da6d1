import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

/**
 * What Discord documents of a message for a webhook (“Execute Webhook”, “Allowed Mentions Object”), without embeds, files
 * and polls. Unlike Discord, it refuses other fields.
 */
const DiscordMessage = Type.Object(
  {
    content: Type.String({ minLength: 1, maxLength: 2000 }),
    username: Type.Optional(Type.String({ minLength: 1, maxLength: 80 })),
    avatar_url: Type.Optional(Type.String()),
    tts: Type.Optional(Type.Boolean()),
    allowed_mentions: Type.Optional(
      Type.Object(
        {
          parse: Type.Optional(
            Type.Array(Type.Union([Type.Literal('roles'), Type.Literal('users'), Type.Literal('everyone')])),
          ),
          roles: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
          users: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)
type DiscordMessage = Static<typeof DiscordMessage>

export interface FakeDiscord {
  /** The URL of a webhook, as *Copy Webhook URL* gives it, but of this server. */
  webhookUrl: string
  /** The accepted messages. */
  messages: DiscordMessage[]
  /** Bodies of the requests that were refused. */
  refused: string[]
  stop(): Promise<void>
}

/** Starts a server with one webhook. It accepts messages with 204, and answers others with 400 or 404 as Discord does. */
export async function startFakeDiscord(): Promise<FakeDiscord> {
  const path = '/api/webhooks/1310000000000000000/a-token-of-the-webhook'
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const status = request.url === path && request.method === 'POST' ? statusOf(request, body) : 404
      if (status !== 204) discord.refused.push(body)
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(status === 204 ? undefined : JSON.stringify({ message: 'Invalid Form Body', code: 50035 }))
    })
  })
  const statusOf = (request: IncomingMessage, body: string): number => {
    const isJson = request.headers['content-type']?.startsWith('application/json')
    const message = isJson === true ? parsed(body) : undefined
    if (!Value.Check(DiscordMessage, message)) return 400
    discord.messages.push(message)
    return 204
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const discord: FakeDiscord = {
    webhookUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    messages: [],
    refused: [],
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return discord
}

/** Undefined for what is no JSON. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
