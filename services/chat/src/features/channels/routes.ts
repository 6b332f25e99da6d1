import { chatSettingsGet, chatSettingsUpdate } from '@looptide/contracts/operations/chat'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { ChannelService } from './channel-service.ts'

/** The routes of the chat settings of channels. */
export const channelRoutes = ({ channels }: { channels: ChannelService }): Route[] => [
  route(chatSettingsGet, ({ params }) => channels.findSettings(params.id)),
  route(chatSettingsUpdate, ({ params, body, cause }) => channels.update(params.id, body, cause)),
]
