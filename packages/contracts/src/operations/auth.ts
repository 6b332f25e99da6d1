import * as accounts from './auth/accounts.ts'
import * as devices from './auth/devices.ts'
import * as factors from './auth/factors.ts'
import * as serviceKey from './auth/service-key.ts'
import * as signIn from './auth/sign-in.ts'
import * as users from './auth/users.ts'

/** The operations of auth, except those about dead letters. */
export const authOperations = { ...accounts, ...devices, ...factors, ...serviceKey, ...signIn, ...users }
