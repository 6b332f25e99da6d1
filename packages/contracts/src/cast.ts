/** The channel of messages between the live page and the page on a Google Cast device. */
export const CAST_NAMESPACE = 'urn:x-cast:looptide'

/** What a live page tells the device: the channel to show. */
export interface CastMessage {
  channelId: string
}

/** Where the framework is loaded from, and the receiver app that the operator has registered at Google. */
export interface CastSettings {
  appId: string
  /** Origin of the framework's scripts. */
  baseUrl: string
}

/** What the page on the device knows before its first message. */
export interface CastPage {
  stationName: string
}
