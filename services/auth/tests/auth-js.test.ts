import { startAuth } from './_harness.ts'
import { authJsSuite } from './auth-js-suite.ts'

authJsSuite(startAuth)
