import { Failure } from '@looptide/backing/failure'
import { freePort, isFree } from '@looptide/backing/free-port'
import { type ServiceName, serviceNames } from '@looptide/backing/service-names'
import type { WantedPort } from './config.ts'

/**
 * The requested port, or a free one if the requested port is only a default and in use.
 *
 * @param variable name of the setting, for the message
 * @throws Failure when the operator set the port and it is taken
 */
export async function choosePort(
  variable: string,
  wanted: WantedPort,
  say: (text: string) => void,
): Promise<number> {
  if (await isFree(wanted.port)) return wanted.port
  if (wanted.explicit) {
    throw new Failure(
      `Port ${wanted.port} is taken (or not permitted): stop the program that uses it, or set ${variable} to another port.`,
    )
  }
  const port = await freePort()
  say(`Port ${wanted.port} is taken, using ${port} instead (set ${variable} to choose).`)
  return port
}

/** The port of each service: the requested one for the gateway, free ones for the others. */
export async function chooseServicePorts(
  gateway: WantedPort,
  say: (text: string) => void,
): Promise<Record<ServiceName, number>> {
  const entries: [ServiceName, number][] = []
  for (const name of serviceNames) entries.push([name, await freePort()])
  const ports = Object.fromEntries(entries) as Record<ServiceName, number>
  ports.gateway = await choosePort('PORT', gateway, say)
  return ports
}
