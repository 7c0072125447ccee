/** Every rule about changes, by area. */
import type { ReviewRule } from './change-rule.ts';
import { AUTHENTICATION_RULES } from './rules/authentication-rules.ts';
import { CONTAINER_RULES } from './rules/container-rules.ts';
import { COVERAGE_RULES } from './rules/coverage-rules.ts';
import { CRYPTOGRAPHY_RULES } from './rules/cryptography-rules.ts';
import { HIDDEN_CHARACTER_RULES } from './rules/hidden-character-rules.ts';
import { MIGRATION_RULES } from './rules/migration-rules.ts';
import { PYTHON_INJECTION_RULES } from './rules/python-injection-rules.ts';
import { QUERY_RULES } from './rules/query-rules.ts';
import { REQUEST_RULES } from './rules/request-rules.ts';
import { SCRIPT_INJECTION_RULES } from './rules/script-injection-rules.ts';
import { SECRET_RULES } from './rules/secret-rules.ts';
import { WORKFLOW_RULES } from './rules/workflow-rules.ts';
import { ERROR_RULES } from './rules/error-rules.ts';
import { CORRECTNESS_RULES } from './rules/correctness-rules.ts';
import { TEST_RULES } from './rules/test-rules.ts';
import { DEPENDENCY_RULES } from './rules/dependency-rules.ts';
import { LOCKFILE_RULES } from './rules/lockfile-rules.ts';
import { DEAD_CODE_RULES } from './rules/dead-code-rules.ts';
import { SIZE_RULES } from './rules/size-rules.ts';
import { LEFTOVER_RULES } from './rules/leftover-rules.ts';
import { REFERENCE_RULES } from './rules/reference-rules.ts';
import { DOCUMENTATION_RULES } from './rules/documentation-rules.ts';
import { ACCESSIBILITY_RULES } from './rules/accessibility-rules.ts';

export const REVIEW_RULES: readonly ReviewRule[] = [
  ...SECRET_RULES,
  ...HIDDEN_CHARACTER_RULES,
  ...SCRIPT_INJECTION_RULES,
  ...PYTHON_INJECTION_RULES,
  ...QUERY_RULES,
  ...REQUEST_RULES,
  ...AUTHENTICATION_RULES,
  ...CRYPTOGRAPHY_RULES,
  ...WORKFLOW_RULES,
  ...CONTAINER_RULES,
  ...MIGRATION_RULES,
  ...ERROR_RULES,
  ...CORRECTNESS_RULES,
  ...TEST_RULES,
  ...COVERAGE_RULES,
  ...DEPENDENCY_RULES,
  ...LOCKFILE_RULES,
  ...DEAD_CODE_RULES,
  ...SIZE_RULES,
  ...LEFTOVER_RULES,
  ...REFERENCE_RULES,
  ...DOCUMENTATION_RULES,
  ...ACCESSIBILITY_RULES,
];
