import { createServer } from 'node:http'

/** Replaces any service: ready when it listens, ends on SIGTERM, answers its environment. */
const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(request.url === '/env' ? process.env : { ready: true }))
})
server.listen(Number(process.env.PORT), '127.0.0.1', () =>
  console.log(JSON.stringify({ level: 30, msg: 'listening' })),
)
process.on('SIGTERM', () => process.exit(0))
