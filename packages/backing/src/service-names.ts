import { SERVICES } from '@looptide/contracts/service-names'

/** The station's own processes, the gateway last: it starts after the others. */
export const serviceNames = [...SERVICES, 'gateway'] as const

export type ServiceName = (typeof serviceNames)[number]
