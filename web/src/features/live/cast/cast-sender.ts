import { CAST_NAMESPACE, type CastMessage, type CastSettings } from '@looptide/contracts/cast'

/** The part of the Cast sender framework that we use (developers.google.com/cast/docs/reference/web_sender). */
interface CastContext {
  setOptions(options: { receiverApplicationId: string; autoJoinPolicy: string }): void
  getCastState(): string
  addEventListener(type: string, listener: () => void): void
  /** Opens the browser's list of devices. Rejects if it is closed, or if the session does not start. */
  requestSession(): Promise<unknown>
  endCurrentSession(stopCasting: boolean): void
  getCurrentSession(): { sendMessage(namespace: string, data: CastMessage): Promise<unknown> } | null
}

declare global {
  interface Window {
    __onGCastApiAvailable?: (isAvailable: boolean) => void
  }
}

interface CastFramework {
  cast: {
    framework: {
      CastContext: { getInstance(): CastContext }
      CastContextEventType: { CAST_STATE_CHANGED: string }
      CastState: Record<'NO_DEVICES_AVAILABLE' | 'NOT_CONNECTED' | 'CONNECTING' | 'CONNECTED', string>
    }
  }
  chrome: { cast: { AutoJoinPolicy: { ORIGIN_SCOPED: string } } }
}

/** `unavailable`: this browser cannot cast, or there is no device. */
type CastStatus = 'unavailable' | 'available' | 'connecting' | 'casting'

const SENDER_SCRIPT = '/cv/js/sender/v1/cast_sender.js?loadCastFramework=1'

/** Shows the channel of the live page on a Google Cast device. */
class CastSender {
  #status: CastStatus = 'unavailable'
  readonly #listeners = new Set<() => void>()
  #context: CastContext | undefined
  #isLoading = false
  #channelId: string | undefined

  /** The present status. Listeners of {@link subscribe} are called when it changes. */
  readonly status = (): CastStatus => this.#status

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Sets the channel to show, now and when casting starts. Loads the framework once; without it nothing can be cast. */
  follow({ appId, baseUrl }: CastSettings, channelId: string): void {
    this.#channelId = channelId
    this.#tell()
    if (this.#isLoading) return
    this.#isLoading = true
    window.__onGCastApiAvailable = (isAvailable) => {
      if (isAvailable) this.#begin(appId)
    }
    const script = document.createElement('script')
    script.src = baseUrl + SENDER_SCRIPT
    document.head.append(script)
  }

  /** Lets the viewer choose a device. Resolves to whether casting has started. */
  async start(): Promise<boolean> {
    try {
      await this.#context?.requestSession()
    } catch {
      // The list of devices was closed, or the device did not answer; the browser has said so.
    }
    return this.#status === 'casting'
  }

  /** Ends casting; the device shows its own page again. */
  stop(): void {
    this.#context?.endCurrentSession(true)
  }

  #begin(appId: string): void {
    const { cast, chrome } = window as unknown as CastFramework
    const { CastContext, CastContextEventType, CastState } = cast.framework
    const statuses: Record<string, CastStatus> = {
      [CastState.NO_DEVICES_AVAILABLE]: 'unavailable',
      [CastState.NOT_CONNECTED]: 'available',
      [CastState.CONNECTING]: 'connecting',
      [CastState.CONNECTED]: 'casting',
    }
    const context = CastContext.getInstance()
    this.#context = context
    const update = () => {
      this.#status = statuses[context.getCastState()] ?? 'unavailable'
      this.#tell()
      for (const listener of this.#listeners) listener()
    }
    context.addEventListener(CastContextEventType.CAST_STATE_CHANGED, update)
    context.setOptions({
      receiverApplicationId: appId,
      autoJoinPolicy: chrome.cast.AutoJoinPolicy.ORIGIN_SCOPED,
    })
    update()
  }

  #tell(): void {
    if (this.#status !== 'casting' || this.#channelId === undefined) return
    const sent = this.#context
      ?.getCurrentSession()
      ?.sendMessage(CAST_NAMESPACE, { channelId: this.#channelId })
    // The device is gone; the framework says so by its state.
    sent?.catch(() => undefined)
  }
}

export const castSender = new CastSender()
