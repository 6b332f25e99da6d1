import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FakeCast {
  /** Origin of the scripts, for `CAST_BASE_URL`. */
  url: string
  /** Paths of the scripts that were requested. */
  requests: string[]
  stop(): Promise<void>
}

/**
 * Starts a server with scripts that do what we use of Google Cast's two frameworks (developers.google.com/cast/docs). The
 * device is a page with the address of the receiver, opened in the same browser: both scripts talk by a `BroadcastChannel`
 * as browser and device do by the network. A session starts when the device answers.
 */
export async function startFakeCast(): Promise<FakeCast> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push(path)
    const script = SCRIPTS[path]
    if (script === undefined) return void response.writeHead(404).end()
    response
      .writeHead(200, { 'content-type': 'text/javascript', 'cross-origin-resource-policy': 'cross-origin' })
      .end(script)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const SENDER = `
(() => {
  const device = new BroadcastChannel('fake-cast')
  const states = {
    NO_DEVICES_AVAILABLE: 'NO_DEVICES_AVAILABLE',
    NOT_CONNECTED: 'NOT_CONNECTED',
    CONNECTING: 'CONNECTING',
    CONNECTED: 'CONNECTED',
  }
  let state = states.NO_DEVICES_AVAILABLE
  let appId
  let connected
  const listeners = []
  const become = (next) => {
    state = next
    for (const listener of listeners) listener({ type: 'caststatechanged', castState: state })
  }
  const session = {
    sendMessage: async (namespace, data) => device.postMessage({ kind: 'message', namespace, data }),
  }
  const context = {
    setOptions(options) {
      appId = options.receiverApplicationId
      become(states.NOT_CONNECTED)
    },
    getCastState: () => state,
    addEventListener: (type, listener) => void (type === 'caststatechanged' && listeners.push(listener)),
    getCurrentSession: () => (state === states.CONNECTED ? session : null),
    requestSession() {
      become(states.CONNECTING)
      device.postMessage({ kind: 'launch', appId })
      return new Promise((resolve) => {
        connected = resolve
      })
    },
    endCurrentSession(stopCasting) {
      if (stopCasting) device.postMessage({ kind: 'stop' })
      become(states.NOT_CONNECTED)
    },
  }
  device.onmessage = ({ data }) => {
    if (data.kind !== 'ready' || state !== states.CONNECTING) return
    become(states.CONNECTED)
    connected()
  }
  window.chrome = { ...window.chrome, cast: { AutoJoinPolicy: { ORIGIN_SCOPED: 'origin_scoped' } } }
  window.cast = {
    framework: {
      CastContext: { getInstance: () => context },
      CastContextEventType: { CAST_STATE_CHANGED: 'caststatechanged' },
      CastState: states,
    },
  }
  window.__onGCastApiAvailable?.(true)
})()
`

const RECEIVER = `
(() => {
  const sender = new BroadcastChannel('fake-cast')
  const listeners = new Map()
  const context = {
    addCustomMessageListener: (namespace, listener) => void listeners.set(namespace, listener),
    start({ customNamespaces }) {
      sender.onmessage = ({ data }) => {
        if (data.kind === 'stop') window.location.replace('about:blank')
        if (data.kind !== 'message' || customNamespaces[data.namespace] !== 'JSON') return
        listeners.get(data.namespace)?.({ type: 'message', senderId: 'sender', data: data.data })
      }
      sender.postMessage({ kind: 'ready' })
    },
  }
  window.cast = {
    framework: {
      CastReceiverContext: { getInstance: () => context },
      system: { MessageType: { JSON: 'JSON', STRING: 'STRING' } },
    },
  }
})()
`

const SCRIPTS: Readonly<Record<string, string>> = {
  '/cv/js/sender/v1/cast_sender.js?loadCastFramework=1': SENDER,
  '/cast/sdk/libs/caf_receiver/v3/cast_receiver_framework.js': RECEIVER,
}
