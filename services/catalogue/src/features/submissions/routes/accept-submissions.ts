import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AcceptSubmissionsBody, DecideSubmissionsResult } from '@looptide/contracts/http/submissions'
import { causeOf } from '@looptide/service-kit/audit/audit'
import type { SubmissionService } from '../submission-service.ts'

/** POST /api/submissions/accept: accepts videos into the library and, with `channelId`, onto a channel (`submissions:review`). */
export const acceptSubmissions: FastifyPluginAsyncTypebox<{ submissions: SubmissionService }> = async (
  app,
  { submissions },
) => {
  app.post(
    '/api/submissions/accept',
    {
      schema: {
        summary: 'Accept submitted videos into the library',
        body: AcceptSubmissionsBody,
        response: { 200: DecideSubmissionsResult },
      },
      config: { operation: 'catalogue.submission.accept' },
    },
    async (request) => ({ decided: await submissions.accept(request.body, causeOf(request)) }),
  )
}
