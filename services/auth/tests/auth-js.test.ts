import { startAuth } from './_util.ts'
import { authJsSuite } from './auth-js-suite.ts'

authJsSuite(startAuth)
