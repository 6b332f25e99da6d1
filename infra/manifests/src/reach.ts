import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import type { INetworkPolicyPeer } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicyPeer'
import type { INetworkPolicyPort } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicyPort'

/** An end of a connection: a pod of the station's namespace, a pod of another one, or an address outside. */
export type Party =
  | { kind: 'pod'; labels: Record<string, string> }
  | { kind: 'stranger'; namespaceLabels: Record<string, string>; labels: Record<string, string> }
  | { kind: 'address'; ip: string }

type Selector = NonNullable<INetworkPolicyPeer['podSelector']>

/** Whether a label selector matches these labels. An empty one matches everything. */
export function selects(selector: Selector | undefined, labels: Record<string, string>): boolean {
  const exactly = Object.entries(selector?.matchLabels ?? {}).every(([key, value]) => labels[key] === value)
  return (
    exactly &&
    (selector?.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
      const value = labels[key]
      if (operator === 'Exists') return value !== undefined
      if (operator === 'DoesNotExist') return value === undefined
      if (operator === 'In') return value !== undefined && values.includes(value)
      if (operator === 'NotIn') return value === undefined || !values.includes(value)
      throw new Error(`Unknown operator ${operator}.`)
    })
  )
}

/**
 * Whether `from` may open a TCP connection to `to` at `port`, by the rules of the NetworkPolicy API: a pod that no
 * policy of a direction selects may do anything in it, any other what one of them allows, and both ends must allow
 * it. These policies do not apply outside the namespace.
 */
export function mayReach(policies: readonly INetworkPolicy[], from: Party, to: Party, port: number): boolean {
  return isAllowed(policies, 'Egress', from, to, port) && isAllowed(policies, 'Ingress', to, from, port)
}

function isAllowed(
  policies: readonly INetworkPolicy[],
  direction: 'Egress' | 'Ingress',
  self: Party,
  other: Party,
  port: number,
): boolean {
  if (self.kind !== 'pod') return true
  const mine = policies.filter(
    ({ spec }) => spec?.policyTypes?.includes(direction) && selects(spec.podSelector, self.labels),
  )
  if (mine.length === 0) return true
  return mine.some(({ spec }) =>
    direction === 'Egress'
      ? (spec?.egress ?? []).some((rule) => meets(rule.to, other) && hasPort(rule.ports, port))
      : (spec?.ingress ?? []).some((rule) => meets(rule.from, other) && hasPort(rule.ports, port)),
  )
}

const hasPort = (ports: INetworkPolicyPort[] | undefined, wanted: number): boolean =>
  ports === undefined || ports.some(({ port, protocol = 'TCP' }) => protocol === 'TCP' && port === wanted)

const meets = (peers: INetworkPolicyPeer[] | undefined, party: Party): boolean =>
  peers === undefined || peers.some((peer) => isPeer(peer, party))

/** IP blocks apply to addresses without a pod only: which address a pod's packets have depends on the network. */
function isPeer({ ipBlock, namespaceSelector, podSelector }: INetworkPolicyPeer, party: Party): boolean {
  if (party.kind === 'address') {
    if (ipBlock === undefined || ipBlock.cidr.includes(':')) return false
    return (
      contains(ipBlock.cidr, party.ip) && !(ipBlock.except ?? []).some((cidr) => contains(cidr, party.ip))
    )
  }
  if (ipBlock !== undefined || !selects(podSelector, party.labels)) return false
  return party.kind === 'pod'
    ? namespaceSelector === undefined
    : namespaceSelector !== undefined && selects(namespaceSelector, party.namespaceLabels)
}

const toNumber = (ip: string): number => ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

function contains(cidr: string, ip: string): boolean {
  const [base = '', bits = '32'] = cidr.split('/')
  const size = 2 ** (32 - Number(bits))
  return Math.floor(toNumber(base) / size) === Math.floor(toNumber(ip) / size)
}
