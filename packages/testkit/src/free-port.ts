/** For servers that a test ends and starts again where they were. */
export { freePort } from '@looptide/runner/ports/free-port'
