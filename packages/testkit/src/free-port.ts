/** Returns a free port, for servers that a test restarts on the same port. */
export { freePort } from '@looptide/backing/free-port'
