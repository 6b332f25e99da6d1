import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { DecideSubmissionsResult, RejectSubmissionsBody } from '@looptide/contracts/http/submissions'
import { causeOf } from '@looptide/service-kit/audit/audit'
import type { SubmissionService } from '../submission-service.ts'

/** POST /api/submissions/reject: rejects videos; submitters see the reason (`submissions:review`). */
export const rejectSubmissions: FastifyPluginAsyncTypebox<{ submissions: SubmissionService }> = async (
  app,
  { submissions },
) => {
  app.post(
    '/api/submissions/reject',
    {
      schema: {
        summary: 'Reject submitted videos with a reason',
        body: RejectSubmissionsBody,
        response: { 200: DecideSubmissionsResult },
      },
      config: { operation: 'catalogue.submission.reject' },
    },
    async (request) => ({ decided: await submissions.reject(request.body, causeOf(request)) }),
  )
}
