import type { ProcessDefinition } from '@looptide/service-kit/process/start-process'
import type { Env } from '@looptide/service-kit/settings/env'
import { createProcess as createChat } from '../../../../services/chat/src/process.ts'

/** The chat service with an address that makes it crash: `POST /crash` throws outside every request. */
export function createProcess(env: Env): ProcessDefinition {
  const chat = createChat(env)
  return {
    ...chat,
    build: async (base) => {
      const plan = await chat.build(base)
      plan.app.post('/crash', { schema: { hide: true } }, async () => {
        setTimeout(() => {
          throw new Error('crash on request')
        })
        return {}
      })
      return plan
    },
  }
}
