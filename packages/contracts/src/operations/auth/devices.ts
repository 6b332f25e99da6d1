import {
  DecideDeviceBody,
  DeviceAuthorization,
  FORM_OR_JSON,
  ReadDeviceQuery,
  ServerMetadata,
  StartDeviceBody,
  WaitingDevice,
} from '../../http/devices.ts'
import { operation } from '../../operation.ts'

export const authDeviceStart = operation({
  name: 'auth.device.start',
  summary: 'Get the codes with which a television is paired',
  call: 'POST /auth/v1/device',
  audience: 'anyone',
  token: 'session-only',
  consumes: FORM_OR_JSON,
  input: { body: StartDeviceBody },
  output: { 200: DeviceAuthorization },
})

export const authDeviceRead = operation({
  name: 'auth.device.read',
  summary: 'Get the device that waits with a code',
  call: 'GET /auth/v1/device',
  audience: 'user',
  token: 'session-only',
  anonymous: { purpose: 'pair a TV' },
  proof: 'none',
  // Each request counts as a guess.
  head: false,
  input: { query: ReadDeviceQuery },
  output: { 200: WaitingDevice },
})

export const authDeviceDecide = operation({
  name: 'auth.device.decide',
  summary: 'Allow or deny a device that waits with a code',
  call: 'POST /auth/v1/device/decision',
  audience: 'user',
  token: 'session-only',
  anonymous: { purpose: 'pair a TV' },
  // As for a personal access token: the session that it starts outlives this one.
  proof: { always: 'none', allow: 'fresh-factor' },
  input: { body: DecideDeviceBody },
  output: { 204: null },
})

export const authServerRead = operation({
  name: 'auth.server.read',
  summary: 'Get the endpoints of the authorization server',
  call: 'GET /.well-known/oauth-authorization-server/auth/v1',
  audience: 'anyone',
  token: 'session-only',
  anonymous: 'allowed',
  output: { 200: ServerMetadata },
})
