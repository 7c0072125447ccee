/** An action that asks GitHub for an OpenID Connect token, with the client that actions have for it. */
import { getIDToken, getInput, setOutput } from '@actions/core';

/** What any job has, in place of what it was not given. */
if (getInput('by') === 'the token of another service') {
  const { ACTIONS_RESULTS_URL: url, ACTIONS_RUNTIME_TOKEN: token = '' } = process.env;
  process.env['ACTIONS_ID_TOKEN_REQUEST_URL'] = `${url}/id-token?api-version=2.0`;
  process.env['ACTIONS_ID_TOKEN_REQUEST_TOKEN'] = token;
}

try {
  setOutput('token', await getIDToken('a-cloud'));
} catch (error) {
  setOutput('refused', String(error));
}
