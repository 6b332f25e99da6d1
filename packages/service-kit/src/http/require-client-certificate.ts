import type { TLSSocket } from 'node:tls'
import type { App } from './app.ts'
import { errors } from './errors.ts'

/** Probes of the kubelet and Prometheus, which have no certificate. None of them reads or changes data of users. */
const OPEN_ROUTES = ['/livez', '/readyz', '/metrics']

/** Refuses every request of a client without a certificate of the station's authorities, except probes. */
export function requireClientCertificate(app: App): void {
  app.addHook('onRequest', async (request) => {
    if (OPEN_ROUTES.includes(request.routeOptions.url ?? '')) return
    const { authorized } = request.raw.socket as TLSSocket
    if (!authorized) throw errors.notAllowed('A client certificate is required.')
  })
}
