import type { WantedPort } from './config.ts'
import { Failure } from './failure.ts'
import { freePort, isFree } from './free-port.ts'
import { type ServiceName, serviceNames } from './service-names.ts'

/**
 * The port to use: the wanted one, or, when only our default asked for it and it is taken, a free one.
 *
 * @param variable the setting, for the message
 * @throws Failure when the operator asked for a port that is taken
 */
export async function choosePort(
  variable: string,
  wanted: WantedPort,
  say: (text: string) => void,
): Promise<number> {
  if (await isFree(wanted.port)) return wanted.port
  if (wanted.explicit) {
    throw new Failure(
      `Port ${wanted.port} is taken (or not ours to use): stop the program that uses it, or set ${variable} to another port.`,
    )
  }
  const port = await freePort()
  say(`Port ${wanted.port} is taken, using ${port} instead (set ${variable} to choose).`)
  return port
}

/** Where each service is found: the gateway at the wanted port, the others wherever there is room. */
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
