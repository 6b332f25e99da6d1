/** Types of the plain Phoenix client, as far as the conformance tests use it; the package has none. */
declare module 'phoenix' {
  export class Push {
    receive(status: 'ok' | 'error' | 'timeout', callback: (response: Record<string, unknown>) => void): Push
  }
  export class Channel {
    state: string
    join(timeout?: number): Push
    leave(): Push
    push(event: string, payload: object): Push
    on(event: string, callback: (payload: Record<string, unknown>) => void): number
    onClose(callback: () => void): void
    onError(callback: (reason: unknown) => void): void
  }
  export class Socket {
    constructor(url: string, options: Record<string, unknown>)
    connect(): void
    disconnect(callback?: () => void): void
    isConnected(): boolean
    channel(topic: string, params?: object): Channel
    onMessage(callback: (message: Record<string, unknown>) => void): void
    onClose(callback: (event: { code: number }) => void): void
  }
}
