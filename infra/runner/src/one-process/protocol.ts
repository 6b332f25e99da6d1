/** Variable with the services of a shared process: JSON of {@link HostedServiceSpec}[]. */
export const SERVICES_VARIABLE = 'LOOPTIDE_HOSTED_SERVICES'

export interface HostedServiceSpec {
  name: string
  /** File of the module that defines the service's process. */
  program: string
  /** All settings of the service. */
  env: Record<string, string>
  /** Starts after the services without this mark, and stops before them. */
  isLast: boolean
}

/** The runner asks the shared process to stop or start one service. */
export interface HostRequest {
  id: number
  action: 'start' | 'stop'
  service: string
}

/** `error` is missing if the request succeeded. */
export interface HostResponse {
  id: number
  error?: string
}
