import { createDb } from '@looptide/service-kit/db/db'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import type { Database } from '../src/db/schema.ts'
import { JobRunner } from '../src/features/jobs/job-runner.ts'

// A process that does the jobs of a database until it is killed.
const logger = createLogger('jobs', 'silent')
new JobRunner({ db: createDb<Database>(process.argv[2] ?? '', logger, 2), logger }).start()
