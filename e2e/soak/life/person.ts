import { bearerOf } from '@looptide/testkit/client'
import { signIn } from '../../support/people.ts'
import type { Ledger } from './ledger.ts'

interface Account {
  email: string
  password: string
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface RequestOptions {
  body?: object
  /** The action's name in the audit log. */
  audited?: string
}

/** A simulated user with an account. Refused requests are recorded and not an error. */
export class Person {
  readonly account: Account
  readonly #url: string
  readonly #ledger: Ledger
  #token: string | undefined

  constructor(stationUrl: string, ledger: Ledger, account: Account) {
    this.#url = stationUrl
    this.#ledger = ledger
    this.account = account
  }

  /** Returns the response's body; null without one or if refused. Refreshes an expired token. */
  async ask<T>(method: Method, path: string, options: RequestOptions = {}): Promise<T | null> {
    const what = `${method} ${path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id').replace(/\?.*/, '')}`
    let answer = await this.#try(method, path, options.body)
    if (answer.status === 401) {
      this.#token = undefined
      answer = await this.#try(method, path, options.body)
    }
    const isGood = answer.status >= 200 && answer.status < 300
    this.#ledger.note(what, answer.status, answer.text)
    const body = isGood ? JSON.parse(answer.text || 'true') : null
    // A request for the present state changes nothing.
    const isChanged = isGood && body.count !== 0 && body.decided?.length !== 0
    if (options.audited !== undefined) this.#ledger.noteChange(options.audited, isChanged)
    return body as T | null
  }

  async #try(method: Method, path: string, body?: object): Promise<{ status: number; text: string }> {
    try {
      this.#token ??= await signIn(this.#url, this.account.email, this.account.password)
      const response = await fetch(this.#url + path, {
        method,
        headers: {
          ...bearerOf(this.#token),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        redirect: 'manual',
        signal: AbortSignal.timeout(5000),
      })
      return { status: response.status, text: await response.text() }
    } catch (error) {
      return { status: 0, text: String(error) }
    }
  }
}
