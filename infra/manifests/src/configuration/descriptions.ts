/** What each setting means, with its unit. A test fails for a setting without a description, and for one that is not read. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  // The station
  PORT: 'Port of the station (`npm start`), or of the process.',
  LOOPTIDE_DATA: 'Folder of data, logs and downloaded programs.',
  LOOPTIDE_ADMIN_EMAIL:
    'Email of the first admin. Default: generated, printed at the first start. The operator command signs in with it.',
  LOOPTIDE_ADMIN_PASSWORD: 'Password of the first admin. Default: generated, printed at the first start.',
  DATABASE_URL:
    'Postgres. `npm start` starts its own if it is not set. The user needs CREATEROLE and CREATE on the database; each service gets the URL of its own role.',
  REDIS_URL:
    'Redis; `redis+sentinel://` for sentinels, `rediss://` and `rediss+sentinel://` with TLS. `npm start` starts its own if it is not set.',
  NATS_URL:
    'NATS 2.10 or newer with JetStream; `tls://` demands TLS. `npm start` starts its own if it is not set. Its user may create streams and consumers; each process gets the URL of its own user.',
  SITE_URL:
    'Address that viewers use, http or https, without a path; mailed links begin with it. Unless it is local (`localhost`, 127.0.0.0/8, `::1`), no process starts with an example secret. Default of `npm start`: `http://localhost:<PORT>`.',
  LOG_LEVEL: 'Least severe level that is logged.',
  LOOPTIDE_DEBUG:
    '`on` shows the state of every process at `/debug`: timelines, outbox, consumers, dead letters, presence, settings without secrets. For development; `pnpm dev` turns it on. Refused unless SITE_URL is local.',
  LOOPTIDE_BUNDLE:
    '`off` runs the services from their sources instead of bundles: slower start, more memory, stack traces with source lines.',
  LOOPTIDE_PROCESSES:
    '`one` runs all services in one process, for small machines: less memory and a faster start; `separate` gives each its own. `auto` decides for one process if the machine, or its container, has less than 4 GB of memory. An error that ends the process ends all of them for some seconds.',
  RATE_LIMIT_FACTOR:
    'Multiplies every rate limit, except those of guarded admin actions (10 and 60 an hour).',
  // Accounts and mail
  SMTP_URL:
    'Mail server, such as `smtps://user:pass@mail.example.com`. If it is not set, `npm start` catches mails with maildev, which starts with the first mail.',
  MAIL_FROM: 'Sender of mails. Default: the brand name and `no-reply@localhost`.',
  MAIL_WEB_PORT: "Port of maildev's inbox.",
  MAIL_CONFIRMATION:
    '`on`: a new account must confirm its email first. `off`: anyone can create an account with the email of another person. Default: `on`, with a local SITE_URL `off`.',
  SIGN_UP:
    'Who may create an account: `open`, `invitation` (only who was invited by the admin API), or `closed` (nobody; the admin API can still create accounts).',
  ANONYMOUS_SIGN_IN:
    '`on`: viewers can sign in without an account, where `SIGN_UP` is `open`. They have playlists, but do not write or publish.',
  ANONYMOUS_ACCOUNT_DAYS: 'Days without use after which an anonymous user is deleted.',
  ACCESS_TOKEN_TTL_S: 'Lifetime of an access token, in seconds. 600 to 3,600 recommended.',
  OTP_TTL_S:
    'Lifetime of a mailed link or code, in seconds. For users with a role ten minutes at most, except confirmations.',
  REFRESH_REUSE_INTERVAL_S:
    'Time after its rotation in which a spent refresh token is still answered, in seconds.',
  SECOND_FACTOR:
    'Two-step verification of users with a role. `recommended`: the profile asks for it. `required`: without it they have the rights of a user.',
  SESSIONS_PER_USER: 'Sessions of an account; one more ends the one used least recently.',
  UNCONFIRMED_ACCOUNT_DAYS: 'Days after which an account with an unconfirmed email is deleted.',
  PROOF_OF_WORK:
    'What requires a proof of work of the browser: `sign-in`: wrong passwords, sign-ups and mails over a limit that strangers share; `sign-up`: these, every sign-up, and magic links that may create an account; `off`: nothing, clients over a limit wait.',
  BREACHED_PASSWORDS_URL:
    'Service that new passwords are checked against, as of Pwned Passwords: five hex digits of a SHA-1 are sent. Empty: only the list of common passwords. `npm start` sets none.',
  MALWARE_SCANNER_URL:
    'clamd that scans uploaded pictures, as `tcp://clamav:3310`. While it does not answer, uploads are refused. Empty: pictures are not scanned.',
  SIGN_UPS_PER_MINUTE: 'Sign-ups of the whole station per minute; further ones need a proof of work.',
  MAILS_PER_MINUTE:
    'Mails that may be requested from the whole station per minute; further ones need a proof of work, except those of an account’s owner.',
  MAILS_PER_DAY:
    'Mails that may be requested from the whole station in 24 hours, a twentieth of them from one network; further ones need a proof of work, except those of an account’s owner.',
  REDIRECT_ALLOW_LIST: 'Further addresses that mailed links may lead to, separated by commas.',
  PASSKEY_RP_ID:
    'Domain that passkeys belong to (RP ID of WebAuthn): the host name of SITE_URL or a domain above it. Default: the host name. Passkeys of another domain no longer work.',
  PASSKEY_ORIGINS:
    'Origins besides that of SITE_URL at which passkeys work, within the domain of PASSKEY_RP_ID, separated by commas.',
  OIDC_PROVIDERS:
    'OpenID providers that accounts can sign in with: a JSON list, secret because of the client secrets (docs/protocols/auth.md, "Providers"). Empty for none.',
  ADMIN_WELCOME_HANDLE: 'Handle of the admin who is greeted after signing in; empty for none.',
  AUTH_KEY_SECRET:
    'Encrypts signing keys and queued mails, derives refresh tokens. auth does not start with another one than before (docs/operations.md, "Secrets").',
  AUTH_KEY_SECRET_PREVIOUS: 'The previous value while `AUTH_KEY_SECRET` is being changed.',
  AUTH_SERVICE_KEY:
    'Authorises the admin API of the auth protocol and `looptide users` as the operator: at least 32 characters, secret. Empty turns the admin API off; `npm start` generates one.',
  AUTH_SERVICE_KEY_PREVIOUS: 'The other value while `AUTH_SERVICE_KEY` is being changed.',
  // Content
  CHAT_RETENTION_DAYS: 'Days after which chat messages are deleted; `0` keeps them.',
  CHAT_LINKS_MIN_ACCOUNT_AGE_HOURS:
    'Age up to which chat messages with links of an account wait for a moderator, in hours; `0`: none wait.',
  CHAT_NEW_ACCOUNT_SLOW_MODE_S:
    'Seconds between two chat messages of a new account, until ten of its messages were not removed for ten minutes; `0`: as others.',
  WEBHOOK_ALLOWED_NETWORKS:
    "Networks in CIDR notation, separated by commas, to which webhooks may be sent although their addresses are not of the internet or are the station's own, such as `10.1.0.0/16`.",
  AUDIT_PSEUDONYMISE_DAYS:
    'Days after which entries of the audit log lose their personal data; less than 30 counts as 30. `0` keeps it, also that of deleted accounts. The migration step stores it in the database, so a change takes effect with the next one.',
  DEMO_CHANNELS:
    'Channels that the first start creates beside the default channel: `all` (the Test Card, and one with a schedule), `test-card` or `none`.',
  SCHEDULE_APPROVAL:
    'Who publishes schedules. `off`: everybody who edits them. `required`: admins; programmers submit a draft for approval.',
  REQUESTS:
    '`on`: viewers may request videos and vote, and slots of schedules air requests (docs/audience.md). audience runs. Compose and Kubernetes pass `off` until it is turned on.',
  REQUESTS_MIN_ACCOUNT_AGE_HOURS: 'Age from which an account may request videos, in hours.',
  VOTES_MIN_WATCH_MINUTES: 'Minutes that an account must have watched in the last day to vote for requests.',
  VAPID_PRIVATE_KEY:
    'Identifies the station to the push services of browsers (RFC 8292): 32 bytes in base64url, secret. Empty: reminders are mailed and shown on pages, not pushed; `npm start` generates one. Another key ends all subscriptions.',
  PUSH_ALLOWED_NETWORKS:
    "Networks in CIDR notation, separated by commas, to which reminders may be pushed although their addresses are not of the internet or are the station's own.",
  AIR_LOG_DAYS: 'Days for which the air log, and requests that have been played or refused, are kept.',
  FALLBACK_MAX_MINUTES:
    'Longest video that the default channel plays when its playlist is empty, in minutes.',
  SUBMISSION_EXEMPT_ROLES: 'Roles whose videos need no review, besides programmers and admins.',
  SUBMISSION_EXEMPT_USERS: 'Ids of accounts whose videos need no review.',
  FOLLOW_CHECK_MINUTES:
    'Minutes between two checks of a followed YouTube playlist or channel; each costs a unit of quota, and one more for 50 items when there are new ones.',
  YOUTUBE_API_KEY: 'Key of the YouTube Data API v3. Without it metadata comes from public pages.',
  YOUTUBE_BASE_URL: 'Replaces YouTube for look-ups and embeds.',
  YOUTUBE_DAILY_QUOTA: 'Quota units a day that the metadata worker may use.',
  YOUTUBE_CALLS_PER_SECOND: 'Calls a second to YouTube.',
  MEDIA_ORIGINS:
    'Origins of video files besides the station, such as `https://media.example.com`, separated by commas. Pages may play them, the metadata worker reads their durations.',
  IMAGE_ORIGINS: 'Origins of pictures besides YouTube and the station, separated by commas.',
  LOOKUP_ATTEMPTS: 'Attempts before a look-up becomes a dead letter.',
  LOOKUP_BACKOFF_MS: 'Delay after the first failed look-up, in ms; doubles with each.',
  LOOKUP_LOCK_MS: 'Time after which the look-up of a process that stopped is taken over, in ms.',
  BRAND_NAME: "The station's name. Nobody may use it in a handle or display name.",
  BRAND_SHORT_NAME: 'Its short form. Nobody may use it in a handle or display name.',
  BRAND_TAGLINE: 'Its tagline.',
  BRAND_LOCATION: 'Its location.',
  FIRESTICK_APK_URL: 'Link of Download APK on `/firestick`.',
  FIRESTICK_GUIDE_URL: 'Link of View Install Guide on `/firestick`.',
  CAST_APP_ID:
    'Id of your receiver app for Google Cast, whose address is `/cast` of the station ([how](integrations.md#google-cast)). Without it nothing of Google Cast is loaded.',
  CAST_BASE_URL: "Replaces the origin of Google Cast's framework.",
  // The gateway
  TRUST_PROXY:
    'Number of your own proxies in front of the gateway (`on` is 1, `off` is 0, at most 10). The client is that entry of `X-Forwarded-For`, counted from the right; `0` ignores the header.',
  REQUIRE_HTTPS:
    '`on`: what reached the outermost proxy over plain http (`X-Forwarded-Proto`) is not answered. Pages and reads without credentials are redirected to `SITE_URL`; other requests and sockets are refused with 403. Only behind a proxy that sets the header.',
  MAX_SOCKETS:
    'Sockets of one gateway. Lowered at start, with a warning, where the limit of open files is below it plus 7,000.',
  MAX_SOCKETS_PER_NETWORK:
    'Sockets of one client network (an IPv4 address, an IPv6 /64) at one gateway, before `RATE_LIMIT_FACTOR`; an IPv6 /48 has four times as many.',
  ALLOWED_ORIGINS: 'Further origins whose pages may open the socket, separated by commas.',
  METRICS_PORT: 'Port of `/metrics`; `0` is any free port.',
  WEB_ROOT: 'Folder of the built web app.',
  WEB_DEV_URL:
    "Vite's development server, from which the gateway serves the web app instead of `WEB_ROOT`. Set by `pnpm dev`; refused unless SITE_URL is local.",
  // Processes
  HOST: 'Address that the process listens at.',
  DATABASE_POOL_SIZE: 'Connections of the process to Postgres.',
  EVENT_SIGNING_KEY:
    'Private key that the process signs its events with (`looptide keys events` prints new ones).',
  EVENT_PUBLIC_KEYS: 'Public keys of all owners of events.',
  INTERNAL_TOKEN: 'Shared by all processes; authorises requests between services.',
  INTERNAL_TOKEN_PREVIOUS: 'The other value while `INTERNAL_TOKEN` is being changed.',
  INTERNAL_TLS_CERT:
    'PEM file of the certificate that the process serves HTTPS with and presents to other processes, Redis and NATS. A replaced file is used within a minute. Not set: connections are not encrypted.',
  INTERNAL_TLS_KEY: 'PEM file of its private key.',
  INTERNAL_TLS_CA:
    'PEM file of the authorities of such certificates. No other authority is trusted inside, and the URLs of processes, Redis and NATS must use TLS.',
  AUTH_URL: 'Address of auth.',
  CATALOGUE_URL: 'Address of catalogue.',
  SCHEDULER_URL: 'Address of stream-scheduler.',
  CHAT_URL: 'Address of chat.',
  AUDIENCE_URL: 'Address of audience.',
  ADMIN_AUDIT_URL: 'Address of admin-audit.',
  METADATA_URL: 'Address of metadata-worker.',
  OTEL_EXPORTER_OTLP_ENDPOINT:
    'Receiver of OpenTelemetry traces (OTLP over HTTP), such as `http://localhost:4318`. Not set: no traces.',
  OTEL_TRACES_SAMPLER_ARG: 'Share of requests that are traced.',
  OTEL_BSP_SCHEDULE_DELAY: 'Longest delay before spans are sent, in ms.',
  // Migration step, operator command
  NATS_REPLICAS: 'NATS servers that keep each stream. Default: 1.',
  LOOPTIDE_URL:
    'Address of the station, for the operator command. Default: the station that `npm start` runs here.',
  LOOPTIDE_TOKEN: 'Access token of an admin, instead of email and password.',
  POSTGRES_BIN: 'Folder of the Postgres programs. Default: the newest that is found.',
  PLAYWRIGHT_CHROMIUM: 'Chromium for tests. Default: one that is found or downloaded.',
}

/** Names of one pattern that are described together, in the environment of containers. */
export const FAMILIES: Readonly<Record<string, string>> = {
  'DATABASE_PASSWORD_<SERVICE>': "Password of a service's database role.",
  'NATS_PASSWORD_<USER>': 'Password of a NATS user (`infra/nats/users.conf`).',
  'EVENT_SIGNING_KEY_<OWNER>': '`EVENT_SIGNING_KEY` of an owner of events.',
  '<STORE>_IMAGE': 'Image of Node, Postgres, Redis, NATS, Prometheus or Grafana.',
  POSTGRES_PASSWORD: "Password of Postgres's administrator.",
  REDIS_PASSWORD: 'Password of Redis.',
  BACKUP_DIR: 'Folder that the operator command writes backups to.',
  PROMETHEUS_PORT: 'Port of Prometheus (profile `observability`).',
  GRAFANA_PORT: 'Port of Grafana (profile `observability`).',
  GRAFANA_PASSWORD: "Password of Grafana's admin.",
}
