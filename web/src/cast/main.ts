import { CAST_NAMESPACE, type CastMessage, type CastPage } from '@looptide/contracts/cast'
import { embedPath } from '@looptide/contracts/embed-code'
import './cast.css'

/** The part of the Cast receiver framework that the page uses (developers.google.com/cast/docs/web_receiver). */
interface CastReceiverContext {
  addCustomMessageListener(namespace: string, listener: (message: { data: unknown }) => void): void
  start(options: {
    /** Nothing is loaded by the framework's own player, which would end the app after five minutes. */
    disableIdleTimeout: boolean
    skipMplLoad: boolean
    skipShakaLoad: boolean
    customNamespaces: Record<string, string>
  }): void
}

declare global {
  interface Window {
    cast?: {
      framework: {
        CastReceiverContext: { getInstance(): CastReceiverContext }
        system: { MessageType: { JSON: string } }
      }
    }
  }
}

/**
 * Shows the channel that a live page names, in the embed of the channel. A change of the channel loads another embed: the
 * page itself must stay, because the device ends the app of a page that is left.
 */
function start(root: HTMLElement, { stationName }: CastPage): void {
  const heading = document.createElement('h1')
  heading.textContent = stationName
  const waiting = document.createElement('p')
  waiting.textContent = 'Ready. Choose a channel on your phone or computer.'
  root.replaceChildren(heading, waiting)
  const framework = window.cast?.framework
  if (framework === undefined) return
  const context = framework.CastReceiverContext.getInstance()
  let shownId: string | undefined
  context.addCustomMessageListener(CAST_NAMESPACE, ({ data }) => {
    if (!isCastMessage(data) || data.channelId === shownId) return
    shownId = data.channelId
    root.dataset.isShowing = 'true'
    root.replaceChildren(heading, frameOf(shownId))
  })
  context.start({
    disableIdleTimeout: true,
    skipMplLoad: true,
    skipShakaLoad: true,
    customNamespaces: { [CAST_NAMESPACE]: framework.system.MessageType.JSON },
  })
}

/** The id of a channel: any page can send messages to the device, and `..` would be another path. */
const CHANNEL_ID = /^[a-z0-9-]{1,64}$/

const isCastMessage = (data: unknown): data is CastMessage =>
  typeof data === 'object' &&
  data !== null &&
  'channelId' in data &&
  typeof data.channelId === 'string' &&
  CHANNEL_ID.test(data.channelId)

function frameOf(channelId: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  // A device has no pointer, and its screen is across the room.
  frame.src = `${embedPath(channelId, 'player')}?controls=0`
  frame.title = 'Live TV'
  frame.allow = 'autoplay; encrypted-media'
  frame.referrerPolicy = 'strict-origin-when-cross-origin'
  return frame
}

const root = document.getElementById('cast')
const data = document.getElementById('cast-data')?.textContent
if (root !== null && data !== undefined) start(root, JSON.parse(data) as CastPage)
