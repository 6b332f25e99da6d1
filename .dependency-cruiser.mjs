/**
 * Rules for folders that stand on each other: a file imports only from its own folder and from those named before it, so
 * no two folders import each other, directly or in a circle. Files directly in `parent` may import all of them.
 */
function floors(parent, ...names) {
  const listed = `^${parent}/(${names.join('|')})/`
  const name = parent.replace(/^(packages|services)\/|\/src/g, '').replaceAll('/', '-')
  return [
    {
      name: `${name}-folders-have-a-floor`,
      comment: `A new folder of ${parent} gets a place in the list of floors of .dependency-cruiser.mjs.`,
      severity: 'error',
      from: { path: `^${parent}/[^/]+/`, pathNot: listed },
      to: {},
    },
    ...names.map((folder, index) => ({
      name: `${name}-${folder}-stands-on-lower-floors`,
      comment: 'Floors: .dependency-cruiser.mjs.',
      severity: 'error',
      from: { path: `^${parent}/${folder}/` },
      to: { path: `^${parent}/[^/]+/`, pathNot: `^${parent}/(${names.slice(0, index + 1).join('|')})/` },
    })),
  ]
}

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'Two files that import each other, also for types only, belong in one file or share a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'everything-is-there',
      comment: 'An import that resolves nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'services-do-not-know-each-other',
      comment: 'A service asks another over HTTP or hears of it by events.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'services-stand-on-packages',
      comment: 'Services and the gateway import packages, never the gateway, the web app or infra.',
      severity: 'error',
      from: { path: '^services/' },
      to: { path: '^(gateway|web|infra)/' },
    },
    {
      name: 'gateway-stands-on-packages',
      severity: 'error',
      from: { path: '^gateway/' },
      to: { path: '^(services|web|infra)/' },
    },
    {
      name: 'features-do-not-know-their-siblings-routes',
      comment:
        "A feature may use a sibling's service, and within a transaction its repository; never its routes.",
      severity: 'error',
      from: { path: '^((?:services/[^/]+|gateway|web)/src/features)/([^/]+)/' },
      to: { path: '^$1/[^/]+/routes\\.ts$', pathNot: '^$1/$2/' },
    },
    {
      name: 'packages-stand-on-packages',
      comment: 'What starts a whole station is infra/test-station; what starts a store is packages/backing.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(services|gateway|web|infra|e2e|bench)/' },
    },
    {
      name: 'contracts-stand-alone',
      severity: 'error',
      from: { path: '^packages/contracts/' },
      to: { path: '^packages/(?!contracts/)' },
    },
    {
      name: 'playhead-stands-alone',
      comment: 'Pure arithmetic: it imports nothing but itself (and test tools in its tests).',
      severity: 'error',
      from: { path: '^packages/playhead/src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^packages/playhead/' },
    },
    {
      name: 'fairness-stands-alone',
      comment:
        'A receipt is checked by the code that decided: no clock, no store, no package but the hashes.',
      severity: 'error',
      from: { path: '^packages/fairness/src/', pathNot: '\\.test\\.ts$|/testing/' },
      to: { pathNot: '^packages/fairness/|(^|/)node_modules/@noble/hashes/' },
    },
    {
      name: 'planner-stands-on-contracts-fairness-and-playhead',
      comment: 'Pure: no clock, no database, no service.',
      severity: 'error',
      from: { path: '^packages/planner/src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^packages/(?!contracts/|fairness/|playhead/|planner/)' },
    },
    {
      name: 'service-kit-stands-on-contracts',
      severity: 'error',
      from: { path: '^packages/service-kit/src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^packages/(?!contracts/|service-kit/)' },
    },
    {
      name: 'one-module-imports-the-nats-client',
      comment:
        'Everything else imports service-kit/events/nats-client.ts, so that another client replaces one file.',
      severity: 'error',
      from: { pathNot: '^packages/service-kit/src/events/nats-client\\.ts$|node_modules' },
      to: { path: '(^|/)node_modules/(nats|@nats-io)/' },
    },
    ...floors(
      'packages/service-kit/src',
      ...[
        'text',
        'telemetry',
        'time',
        'tls',
        'db',
        'http',
        'events',
        'settings',
        'outbound',
        'identity',
        'limits',
      ],
      ...['audit', 'routes', 'pictures', 'debug', 'process'],
    ),
    ...floors('packages/backing/src', 'programs', 'database', 'nats', 'servers'),
    ...floors('services/auth/src', 'db', 'crypto', 'features', 'consumers', 'protocol'),
    ...floors(
      'services/auth/src/features',
      ...['names', 'user', 'limits', 'keys', 'mail', 'session', 'profile', 'registration', 'credential'],
      ...['account', 'staff', 'operator'],
    ),
    ...floors(
      'services/auth/src/features/credential',
      ...['code', 'password', 'passkey', 'provider', 'factor', 'token', 'device'],
    ),
    ...floors(
      'services/stream-scheduler/src',
      ...[
        'db',
        'queues',
        'timeline',
        'library',
        'schedule',
        'playlists',
        'takeover',
        'channels',
        'guide',
        'reports',
      ],
      ...['airings', 'requests', 'substitutes', 'simulate', 'log', 'consumers', 'demo'],
    ),
    {
      name: 'web-stands-on-contracts-and-playhead',
      comment:
        "The schedule editor also uses the planner's arithmetic of local dates, blocks and their clashes; receipts are checked with packages/fairness.",
      severity: 'error',
      from: { path: '^web/src/' },
      to: {
        path: '^(packages/(?!contracts/|fairness/|playhead/|planner/src/(clashes|clash-problems|grid|local-days).ts)|services|gateway|infra)',
      },
    },
    {
      name: 'only-the-schedule-editor-loads-the-planner',
      comment: 'Its calendar arithmetic brings a polyfill of 20 kB.',
      severity: 'error',
      from: { path: '^web/src/', pathNot: '^web/src/features/schedule/' },
      to: { path: '^packages/planner/' },
    },
    {
      name: 'web-layers',
      comment:
        'ui is used by lib, lib by features, features by app and tv. web/src/lib/paths.ts is below all features.',
      severity: 'error',
      from: { path: '^web/src/(lib|features)/' },
      to: { path: '^web/src/(app|tv)/' },
    },
    {
      name: 'web-lib-does-not-know-features',
      severity: 'error',
      from: { path: '^web/src/lib/' },
      to: { path: '^web/src/features/' },
    },
    {
      name: 'web-ui-stands-alone',
      severity: 'error',
      from: { path: '^web/src/ui/' },
      to: { path: '^web/src/(lib|features|app|tv)/|(^|/)node_modules/(swr|react-router|react-router-dom)/' },
    },
    {
      name: 'web-features-do-not-know-each-others-internals',
      comment:
        'A feature uses of another one its api.ts, and the dialogs that show a video or follow a list. Sections of the admin pages share features/admin. Everything else that is shared is in lib or ui.',
      severity: 'error',
      from: { path: '^web/src/features/([^/]+)/' },
      to: {
        path: '^web/src/features/[^/]+/',
        pathNot:
          '^web/src/features/($1/|admin/|[^/]+/api\\.ts$|videos/video-dialogs\\.tsx$|library/followed/follow-dialog\\.tsx$)',
      },
    },
    {
      name: 'web-features-form-floors',
      comment: 'No two features use each other, directly or in a circle.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^web/src/features/[^/]+$' },
      to: { circular: true, path: '^web/src/features/[^/]+$' },
    },
    {
      name: 'web-sections-stand-on-the-admin-pages-base',
      comment: 'features/admin is what the sections of the admin pages share; it knows none of them.',
      severity: 'error',
      from: { path: '^web/src/features/admin/' },
      to: { path: '^web/src/features/(?!admin/)' },
    },
    {
      name: 'viewers-do-not-load-admin-code',
      severity: 'error',
      from: {
        path: '^web/src/features/(air-log|chat|guide|home|live|playlists|profile|search|sign-in|videos)/',
      },
      to: {
        path: '^web/src/features/(admin|appearance|audit|channels|library|operations|schedule|submissions|takeover|users)/',
      },
    },
    {
      name: 'testkit-is-for-tests',
      severity: 'error',
      from: {
        path: '^(packages|services|gateway|web|infra)/',
        pathNot: '^packages/testkit/|^infra/test-station/|/tests/|\\.test\\.tsx?$|^infra/verify',
      },
      to: { path: '^packages/testkit/' },
    },
    {
      name: 'nothing-stands-on-tests-and-benchmarks',
      comment: 'e2e and bench are the outermost layer: they import everything else.',
      severity: 'error',
      from: { pathNot: '^(e2e|bench)/' },
      to: { path: '^(e2e|bench)/' },
    },
    {
      name: 'programs-do-not-need-test-tools',
      comment: 'What runs in production is a dependency, not a devDependency.',
      severity: 'error',
      from: {
        path: '^(packages/(?!testkit/)[^/]+|services/[^/]+|gateway|infra/(runner|cli))/src/',
        pathNot: '\\.test\\.ts$',
      },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: 'node_modules/@types/',
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(?!.*node_modules/).*(^|/)(dist|\\.local)/' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.d.ts'],
    },
  },
}
