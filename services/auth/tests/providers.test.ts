import { providersSuite } from './auth-js/providers.ts'

providersSuite()
