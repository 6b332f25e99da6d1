import * as airings from './audience/airings.ts'
import * as likes from './audience/likes.ts'
import * as polls from './audience/polls.ts'
import * as reminders from './audience/reminders.ts'
import * as requests from './audience/requests.ts'

/** The operations of audience, except those about dead letters. */
export const audienceOperations = { ...airings, ...likes, ...polls, ...reminders, ...requests }
