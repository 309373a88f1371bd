BEGIN TRANSACTION;
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY);
INSERT INTO "alembic_version" VALUES('0003');
CREATE TABLE annotations (
	number INTEGER NOT NULL, 
	run INTEGER NOT NULL, 
	case_index BIGINT NOT NULL, 
	case_id TEXT NOT NULL, 
	spec TEXT NOT NULL, 
	about VARCHAR(32) NOT NULL, 
	statement INTEGER NOT NULL, 
	claim TEXT NOT NULL, 
	annotator VARCHAR(200) NOT NULL, 
	verdict VARCHAR(8) NOT NULL, 
	note TEXT NOT NULL, 
	created VARCHAR(40) NOT NULL, 
	updated VARCHAR(40) NOT NULL, 
	PRIMARY KEY (number)
);
INSERT INTO "annotations" VALUES(1,1,0,'172aa3057d1bde78','exact_match','db2694b7d0c5e80128b224ce14eb9360',-1,'','ada','no','wrong','2026-11-22T04:16:58.010410+00:00','2026-11-22T04:16:58.010410+00:00');
CREATE TABLE baselines (
	name VARCHAR(200) NOT NULL, 
	run INTEGER NOT NULL, 
	since VARCHAR(40) NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "baselines" VALUES('main',1,'2026-11-22T04:16:58.014145+00:00');
CREATE TABLE batches (
	run_id VARCHAR(64) NOT NULL, 
	number INTEGER NOT NULL, 
	vendor TEXT NOT NULL, 
	model TEXT NOT NULL, 
	address TEXT NOT NULL, 
	batch TEXT, 
	since FLOAT NOT NULL, 
	requests INTEGER NOT NULL, 
	keys TEXT NOT NULL, 
	PRIMARY KEY (run_id, number)
);
CREATE TABLE cases (
	"key" VARCHAR(32) NOT NULL, 
	case_id TEXT NOT NULL, 
	name TEXT, 
	input TEXT NOT NULL, 
	body TEXT NOT NULL, 
	answer TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY ("key")
);
INSERT INTO "cases" VALUES('ada67dbe0e3356d382378405548f534d','172aa3057d1bde78',NULL,'Größe 0?','{"input":"Größe 0?","actual_output":"The answer is 0.","expected_output":"The answer is 0.","retrieval_context":["The answer is 0."],"tags":["t0"],"id":"172aa3057d1bde78"}','The answer is 0.');
INSERT INTO "cases" VALUES('d6e7baf4cded02467de84c6548851ac7','9640285550fa898d',NULL,'Größe 1?','{"input":"Größe 1?","actual_output":"The answer is 1.","expected_output":"The answer is 1.","retrieval_context":["The answer is 1."],"tags":["t1"],"id":"9640285550fa898d"}','The answer is 1.');
INSERT INTO "cases" VALUES('4ca8238c15332bebcf6d5319ee1917db','566cbf66b16acfb5',NULL,'Größe 2?','{"input":"Größe 2?","actual_output":"The answer is 2.","expected_output":"The answer is 2.","retrieval_context":["The answer is 2."],"tags":["t0"],"id":"566cbf66b16acfb5"}','The answer is 2.');
INSERT INTO "cases" VALUES('4ff7c8e5e363557d5e891640f06ffafc','11ba1792c4b1980a',NULL,'Größe 3?','{"input":"Größe 3?","actual_output":"The answer is 3.","expected_output":"The answer is 0.","retrieval_context":["The answer is 3."],"tags":["t1"],"id":"11ba1792c4b1980a"}','The answer is 3.');
INSERT INTO "cases" VALUES('b6c5316267573bef53b41f8d042f516c','f762b3563cc68442',NULL,'Größe 4?','{"input":"Größe 4?","actual_output":"The answer is 4.","expected_output":"The answer is 1.","retrieval_context":["The answer is 4."],"tags":["t0"],"id":"f762b3563cc68442"}','The answer is 4.');
INSERT INTO "cases" VALUES('0c332379c57a82df988588b1075b9691','040f51cbc72cc2d9',NULL,'bare','{"input":"bare","id":"040f51cbc72cc2d9"}','');
CREATE TABLE exchanges (
	run INTEGER NOT NULL, 
	"key" VARCHAR(32) NOT NULL, 
	case_index BIGINT NOT NULL, 
	prompt TEXT NOT NULL, 
	recorded BOOLEAN NOT NULL, 
	latency_ms FLOAT NOT NULL, 
	calls INTEGER NOT NULL, 
	input_tokens BIGINT NOT NULL, 
	output_tokens BIGINT NOT NULL, 
	cost FLOAT, 
	body TEXT NOT NULL, 
	judge TEXT DEFAULT '' NOT NULL, 
	error TEXT, 
	request TEXT DEFAULT '' NOT NULL, 
	PRIMARY KEY (run, "key")
);
INSERT INTO "exchanges" VALUES(1,'08b284e115a6aaa093261001a0077332',0,'ExtractClaims',0,1.10276699979294789955e+00,1,0,0,0.0,'{"response":"{\"claims\":[\"The answer is 0.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(1,'8b004956abe846ddfbc5db9a8d083962',0,'ExtractTruths',0,4.23490999764908337965e-01,1,0,0,0.0,'{"response":"{\"truths\":[\"The answer is 0.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(1,'5814d8c4911df9d2c052f6f5c183beb4',1,'ExtractClaims',0,1.28639999729784904047e-01,1,0,0,0.0,'{"response":"{\"claims\":[\"The answer is 1.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(1,'bf6c4644fe99de4e385e7a9aaf39026d',1,'ExtractTruths',0,5.08939997416746336966e-02,1,0,0,0.0,'{"response":"{\"truths\":[\"The answer is 1.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(1,'50358b99395d0981d88abc1d4ed3fb4a',2,'ExtractClaims',0,8.05559998298122081905e-02,1,0,0,0.0,'{"response":"{\"claims\":[\"The answer is 2.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(1,'dc994490776c8ae445d6a41e73c9e386',2,'ExtractTruths',0,4.10440002269751857966e-02,1,0,0,0.0,'{"response":"{\"truths\":[\"The answer is 2.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(1,'5b77edd558d42b8018adfaf18ff6e7e5',3,'ExtractClaims',0,7.17489997441589366644e-02,1,0,0,0.0,'{"response":"{\"claims\":[\"The answer is 3.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(1,'31356fa01953f82798f3aa78279b5308',3,'ExtractTruths',0,5.44260001333896070718e-02,1,0,0,0.0,'{"response":"{\"truths\":[\"The answer is 3.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(1,'991a18cafb4fc277f9014941fc34702b',4,'ExtractClaims',0,7.42429997444560285657e-02,1,0,0,0.0,'{"response":"{\"claims\":[\"The answer is 4.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(1,'5820781163d4beaf63f865d19830fb9f',4,'ExtractTruths',0,4.75295199976244475692e+00,1,0,0,0.0,'{"response":"{\"truths\":[\"The answer is 4.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(1,'29cdd78f975947ccb9d76b7f7ddedb4c',0,'JudgeClaims',0,3.27459419000206253258e+02,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"reason\":\"the passage says so\",\"verdict\":\"yes\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(1,'e808109d738047dd0ecb02b2fda1ed95',1,'JudgeClaims',0,6.32080600007611792534e+00,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"reason\":\"the passage says so\",\"verdict\":\"yes\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(1,'de4673d4f329cefc5827ab598fb7e5c5',2,'JudgeClaims',0,9.44251300006726523861e+00,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"reason\":\"the passage says so\",\"verdict\":\"yes\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(1,'393476834faf6b46f3a6981c5432c156',3,'JudgeClaims',0,1.7048200002136582043e+00,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"reason\":\"the passage says so\",\"verdict\":\"yes\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(1,'81c9245178cbdf7917ccf98ff091ad9c',4,'JudgeClaims',0,3.50078339997708098962e+01,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"reason\":\"the passage says so\",\"verdict\":\"yes\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'08b284e115a6aaa093261001a0077332',0,'ExtractClaims',0,2.10211000194249209016e-01,1,0,0,0.0,'{"response":"{\"claims\":[\"The answer is 0.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'8b004956abe846ddfbc5db9a8d083962',0,'ExtractTruths',0,1.67695000072853872552e-01,1,0,0,0.0,'{"response":"{\"truths\":[\"The answer is 0.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'5814d8c4911df9d2c052f6f5c183beb4',1,'ExtractClaims',0,1.19946999802778009325e-01,1,0,0,0.0,'{"response":"{\"claims\":[\"The answer is 1.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'bf6c4644fe99de4e385e7a9aaf39026d',1,'ExtractTruths',0,5.30649999745946843177e-02,1,0,0,0.0,'{"response":"{\"truths\":[\"The answer is 1.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'50358b99395d0981d88abc1d4ed3fb4a',2,'ExtractClaims',0,7.70850001572398468852e-02,1,0,0,0.0,'{"response":"{\"claims\":[\"The answer is 2.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'dc994490776c8ae445d6a41e73c9e386',2,'ExtractTruths',0,5.04919999002595432102e-02,1,0,0,0.0,'{"response":"{\"truths\":[\"The answer is 2.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'5b77edd558d42b8018adfaf18ff6e7e5',3,'ExtractClaims',0,8.80410002537246327847e-02,1,0,0,0.0,'{"response":"{\"claims\":[\"The answer is 3.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'31356fa01953f82798f3aa78279b5308',3,'ExtractTruths',0,0.0517220000801899,1,0,0,0.0,'{"response":"{\"truths\":[\"The answer is 3.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'991a18cafb4fc277f9014941fc34702b',4,'ExtractClaims',0,1.24752000374428462237e-01,1,0,0,0.0,'{"response":"{\"claims\":[\"The answer is 4.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'5820781163d4beaf63f865d19830fb9f',4,'ExtractTruths',0,3.98950000999320764094e-02,1,0,0,0.0,'{"response":"{\"truths\":[\"The answer is 4.\"]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'29cdd78f975947ccb9d76b7f7ddedb4c',0,'JudgeClaims',0,1.43417199979012366384e+00,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"reason\":\"the passage says so\",\"verdict\":\"yes\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'e808109d738047dd0ecb02b2fda1ed95',1,'JudgeClaims',0,1.70957420000377169344e+01,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"reason\":\"the passage says so\",\"verdict\":\"yes\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'de4673d4f329cefc5827ab598fb7e5c5',2,'JudgeClaims',0,3.5785090003628283739e+00,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"reason\":\"the passage says so\",\"verdict\":\"yes\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'393476834faf6b46f3a6981c5432c156',3,'JudgeClaims',0,1.08152999973754049278e+00,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"reason\":\"the passage says so\",\"verdict\":\"yes\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
INSERT INTO "exchanges" VALUES(2,'81c9245178cbdf7917ccf98ff091ad9c',4,'JudgeClaims',0,1.10916509997878165449e+01,1,0,0,0.0,'{"response":"{\"verdicts\":[{\"reason\":\"the passage says so\",\"verdict\":\"yes\"}]}","beside":{},"usage":{"calls":1,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"cost":0.0,"about":{}}','local',NULL,'');
CREATE TABLE places (
	run INTEGER NOT NULL, 
	case_index BIGINT NOT NULL, 
	case_key VARCHAR(32) NOT NULL, 
	case_id TEXT NOT NULL, 
	named VARCHAR(32) NOT NULL, 
	asked VARCHAR(32) NOT NULL, 
	tags TEXT NOT NULL, 
	passes BIGINT NOT NULL, 
	misses BIGINT NOT NULL, 
	passed INTEGER NOT NULL, 
	missed INTEGER NOT NULL, 
	failed INTEGER NOT NULL, 
	skipped INTEGER NOT NULL, 
	mean FLOAT, 
	shortfall FLOAT, 
	latency_ms FLOAT NOT NULL, 
	cost FLOAT, 
	serial BIGINT NOT NULL, 
	sought TEXT NOT NULL, 
	PRIMARY KEY (run, case_index)
);
INSERT INTO "places" VALUES(1,0,'ada67dbe0e3356d382378405548f534d','172aa3057d1bde78','d5f43f488e19aac7a9054869a332ed00','015809c3b7f6f3432dc9da38960ed36f','["t0"]',3,0,2,0,0,0,1.0,0.0,4.30116666999765584478e+02,0.0,8,'172aa3057d1bde78

grösse 0?
the answer is 0.');
INSERT INTO "places" VALUES(1,1,'d6e7baf4cded02467de84c6548851ac7','9640285550fa898d','32f5c5e61b1c6f15cb577b17ca2b34f8','1c536aa2e81543d084c2a1d64b69127c','["t1"]',3,0,2,0,0,0,1.0,0.0,4.29909390999910101527e+02,0.0,9,'9640285550fa898d

grösse 1?
the answer is 1.');
INSERT INTO "places" VALUES(1,2,'4ca8238c15332bebcf6d5319ee1917db','566cbf66b16acfb5','fe1a64fd49571ae9d2f6d49f6bde2cab','4ff1bc766a27814b5bd9a6bcf5f3b63a','["t0"]',3,0,2,0,0,0,1.0,0.0,488.853195000047,0.0,10,'566cbf66b16acfb5

grösse 2?
the answer is 2.');
INSERT INTO "places" VALUES(1,3,'4ff7c8e5e363557d5e891640f06ffafc','11ba1792c4b1980a','dbf147add3f62c1239e22e1e89ac307e','749cef59295daabbc8e82a25fd5342bd','["t1"]',2,1,1,1,0,0,0.5,1.0,4.91590883000299072591e+02,0.0,11,'11ba1792c4b1980a

grösse 3?
the answer is 3.');
INSERT INTO "places" VALUES(1,4,'b6c5316267573bef53b41f8d042f516c','f762b3563cc68442','84bb98fd0395168912250ce69acbff61','0eabddd7e13a9dfd821670841bd8e411','["t0"]',2,1,1,1,0,0,0.5,1.0,5.2749094299952048459e+02,0.0,12,'f762b3563cc68442

grösse 4?
the answer is 4.');
INSERT INTO "places" VALUES(1,5,'0c332379c57a82df988588b1075b9691','040f51cbc72cc2d9','e9be31b121442dbf531befb490d7099c','620ab6fafba0e28b66b2fec525f7d160','[]',0,0,0,0,2,0,NULL,NULL,1.08460999854287365451e-01,0.0,7,'040f51cbc72cc2d9

bare
');
INSERT INTO "places" VALUES(2,0,'ada67dbe0e3356d382378405548f534d','172aa3057d1bde78','d5f43f488e19aac7a9054869a332ed00','015809c3b7f6f3432dc9da38960ed36f','["t0"]',3,0,2,0,0,0,1.0,0.0,1.38568402999680984066e+02,0.0,8,'172aa3057d1bde78

grösse 0?
the answer is 0.');
INSERT INTO "places" VALUES(2,1,'d6e7baf4cded02467de84c6548851ac7','9640285550fa898d','32f5c5e61b1c6f15cb577b17ca2b34f8','1c536aa2e81543d084c2a1d64b69127c','["t1"]',3,0,2,0,0,0,1.0,0.0,1.38541288999476819299e+02,0.0,9,'9640285550fa898d

grösse 1?
the answer is 1.');
INSERT INTO "places" VALUES(2,2,'4ca8238c15332bebcf6d5319ee1917db','566cbf66b16acfb5','fe1a64fd49571ae9d2f6d49f6bde2cab','4ff1bc766a27814b5bd9a6bcf5f3b63a','["t0"]',3,0,2,0,0,0,1.0,0.0,138.523811000141,0.0,10,'566cbf66b16acfb5

grösse 2?
the answer is 2.');
INSERT INTO "places" VALUES(2,3,'4ff7c8e5e363557d5e891640f06ffafc','11ba1792c4b1980a','dbf147add3f62c1239e22e1e89ac307e','749cef59295daabbc8e82a25fd5342bd','["t1"]',2,1,1,1,0,0,0.5,1.0,1.38484587999755603959e+02,0.0,11,'11ba1792c4b1980a

grösse 3?
the answer is 3.');
INSERT INTO "places" VALUES(2,4,'b6c5316267573bef53b41f8d042f516c','f762b3563cc68442','84bb98fd0395168912250ce69acbff61','0eabddd7e13a9dfd821670841bd8e411','["t0"]',2,1,1,1,0,0,0.5,1.0,1.38477325999701861292e+02,0.0,12,'f762b3563cc68442

grösse 4?
the answer is 4.');
INSERT INTO "places" VALUES(2,5,'0c332379c57a82df988588b1075b9691','040f51cbc72cc2d9','e9be31b121442dbf531befb490d7099c','620ab6fafba0e28b66b2fec525f7d160','[]',0,0,0,0,2,0,NULL,NULL,7.71229997553746215999e-02,0.0,7,'040f51cbc72cc2d9

bare
');
CREATE TABLE results (
	run INTEGER NOT NULL, 
	case_index BIGINT NOT NULL, 
	metric_index INTEGER NOT NULL, 
	case_key VARCHAR(32) NOT NULL, 
	case_id TEXT NOT NULL, 
	metric TEXT NOT NULL, 
	spec TEXT NOT NULL, 
	status VARCHAR(8) NOT NULL, 
	score FLOAT, 
	success BOOLEAN NOT NULL, 
	error_kind TEXT, 
	latency_ms FLOAT NOT NULL, 
	calls INTEGER NOT NULL, 
	input_tokens BIGINT NOT NULL, 
	output_tokens BIGINT NOT NULL, 
	cached_tokens BIGINT NOT NULL, 
	cost FLOAT, 
	body TEXT NOT NULL, 
	serial BIGINT DEFAULT '0' NOT NULL, 
	shortfall FLOAT, 
	PRIMARY KEY (run, case_index, metric_index)
);
INSERT INTO "results" VALUES(1,0,0,'ada67dbe0e3356d382378405548f534d','172aa3057d1bde78','ExactMatch','exact_match','PASS',1.0,1,NULL,4.99689999742258805781e-02,0,0,0,0,0.0,'{"metric":"ExactMatch","spec":"exact_match","score":1.0,"success":true,"reason":"The actual output is the expected output.","threshold":1.0,"higher_is_better":true,"error":null,"skipped":false,"metadata":{"expected":"The answer is 0.","actual":"The answer is 0.","case_sensitive":true,"normalize_whitespace":false},"usage":{"calls":0,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":0.04996899997422588,"case_id":"172aa3057d1bde78","judge":"local"}',1,0.0);
INSERT INTO "results" VALUES(1,1,0,'d6e7baf4cded02467de84c6548851ac7','9640285550fa898d','ExactMatch','exact_match','PASS',1.0,1,NULL,3.53149998773005791008e-02,0,0,0,0,0.0,'{"metric":"ExactMatch","spec":"exact_match","score":1.0,"success":true,"reason":"The actual output is the expected output.","threshold":1.0,"higher_is_better":true,"error":null,"skipped":false,"metadata":{"expected":"The answer is 1.","actual":"The answer is 1.","case_sensitive":true,"normalize_whitespace":false},"usage":{"calls":0,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":0.03531499987730058,"case_id":"9640285550fa898d","judge":"local"}',2,0.0);
INSERT INTO "results" VALUES(1,2,0,'4ca8238c15332bebcf6d5319ee1917db','566cbf66b16acfb5','ExactMatch','exact_match','PASS',1.0,1,NULL,1.53830001181631814688e-02,0,0,0,0,0.0,'{"metric":"ExactMatch","spec":"exact_match","score":1.0,"success":true,"reason":"The actual output is the expected output.","threshold":1.0,"higher_is_better":true,"error":null,"skipped":false,"metadata":{"expected":"The answer is 2.","actual":"The answer is 2.","case_sensitive":true,"normalize_whitespace":false},"usage":{"calls":0,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":0.015383000118163181,"case_id":"566cbf66b16acfb5","judge":"local"}',3,0.0);
INSERT INTO "results" VALUES(1,3,0,'4ff7c8e5e363557d5e891640f06ffafc','11ba1792c4b1980a','ExactMatch','exact_match','FAIL',0.0,0,NULL,1.80480001290561631321e-02,0,0,0,0,0.0,'{"metric":"ExactMatch","spec":"exact_match","score":0.0,"success":false,"reason":"The actual output differs from the expected one.","threshold":1.0,"higher_is_better":true,"error":null,"skipped":false,"metadata":{"expected":"The answer is 0.","actual":"The answer is 3.","case_sensitive":true,"normalize_whitespace":false},"usage":{"calls":0,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":0.018048000129056163,"case_id":"11ba1792c4b1980a","judge":"local"}',4,1.0);
INSERT INTO "results" VALUES(1,4,0,'b6c5316267573bef53b41f8d042f516c','f762b3563cc68442','ExactMatch','exact_match','FAIL',0.0,0,NULL,1.46269999277137685567e-02,0,0,0,0,0.0,'{"metric":"ExactMatch","spec":"exact_match","score":0.0,"success":false,"reason":"The actual output differs from the expected one.","threshold":1.0,"higher_is_better":true,"error":null,"skipped":false,"metadata":{"expected":"The answer is 1.","actual":"The answer is 4.","case_sensitive":true,"normalize_whitespace":false},"usage":{"calls":0,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":0.014626999927713769,"case_id":"f762b3563cc68442","judge":"local"}',5,1.0);
INSERT INTO "results" VALUES(1,5,0,'0c332379c57a82df988588b1075b9691','040f51cbc72cc2d9','ExactMatch','exact_match','ERROR',NULL,0,'MissingField',6.96920001246326137334e-02,0,0,0,0,0.0,'{"metric":"ExactMatch","spec":"exact_match","score":null,"success":false,"reason":null,"threshold":1.0,"higher_is_better":true,"error":"MissingField: ExactMatch needs ''actual_output'' and ''expected_output'': not given by test case ''040f51cbc72cc2d9''. Fill in ''actual_output'' and ''expected_output'', or leave the metric out.","skipped":false,"metadata":{},"usage":{"calls":0,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":0.06969200012463261,"case_id":"040f51cbc72cc2d9","judge":"local"}',6,NULL);
INSERT INTO "results" VALUES(1,5,1,'0c332379c57a82df988588b1075b9691','040f51cbc72cc2d9','Faithfulness','faithfulness','ERROR',NULL,0,'MissingField',3.8768999729654751718e-02,0,0,0,0,0.0,'{"metric":"Faithfulness","spec":"faithfulness","score":null,"success":false,"reason":null,"threshold":0.5,"higher_is_better":true,"error":"MissingField: Faithfulness needs ''actual_output'' and ''retrieval_context'': not given by test case ''040f51cbc72cc2d9''. Fill in ''actual_output'' and ''retrieval_context'', or leave the metric out.","skipped":false,"metadata":{},"usage":{"calls":0,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":0.03876899972965475,"case_id":"040f51cbc72cc2d9","judge":"local"}',7,NULL);
INSERT INTO "results" VALUES(1,0,1,'ada67dbe0e3356d382378405548f534d','172aa3057d1bde78','Faithfulness','faithfulness','PASS',1.0,1,NULL,4.30066697999791358597e+02,3,0,0,0,0.0,'{"metric":"Faithfulness","spec":"faithfulness","score":1.0,"success":true,"reason":"1 of 1 claims are supported.","threshold":0.5,"higher_is_better":true,"error":null,"skipped":false,"metadata":{"claims":["The answer is 0."],"truths":["The answer is 0."],"verdicts":[{"statement":"The answer is 0.","verdict":"yes","reason":"the passage says so","passage":1,"span":[0,15],"probability":0.9910825824154761}]},"usage":{"calls":3,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":430.06669799979136,"case_id":"172aa3057d1bde78","judge":"local"}',8,-0.5);
INSERT INTO "results" VALUES(1,1,1,'d6e7baf4cded02467de84c6548851ac7','9640285550fa898d','Faithfulness','faithfulness','PASS',1.0,1,NULL,4.29874076000032800948e+02,3,0,0,0,0.0,'{"metric":"Faithfulness","spec":"faithfulness","score":1.0,"success":true,"reason":"1 of 1 claims are supported.","threshold":0.5,"higher_is_better":true,"error":null,"skipped":false,"metadata":{"claims":["The answer is 1."],"truths":["The answer is 1."],"verdicts":[{"statement":"The answer is 1.","verdict":"yes","reason":"the passage says so","passage":1,"span":[0,15],"probability":0.9910825826236435}]},"usage":{"calls":3,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":429.8740760000328,"case_id":"9640285550fa898d","judge":"local"}',9,-0.5);
INSERT INTO "results" VALUES(1,2,1,'4ca8238c15332bebcf6d5319ee1917db','566cbf66b16acfb5','Faithfulness','faithfulness','PASS',1.0,1,NULL,4.88837811999928817385e+02,3,0,0,0,0.0,'{"metric":"Faithfulness","spec":"faithfulness","score":1.0,"success":true,"reason":"1 of 1 claims are supported.","threshold":0.5,"higher_is_better":true,"error":null,"skipped":false,"metadata":{"claims":["The answer is 2."],"truths":["The answer is 2."],"verdicts":[{"statement":"The answer is 2.","verdict":"yes","reason":"the passage says so","passage":1,"span":[0,15],"probability":0.991082582823816}]},"usage":{"calls":3,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":488.8378119999288,"case_id":"566cbf66b16acfb5","judge":"local"}',10,-0.5);
INSERT INTO "results" VALUES(1,3,1,'4ff7c8e5e363557d5e891640f06ffafc','11ba1792c4b1980a','Faithfulness','faithfulness','PASS',1.0,1,NULL,491.57283500017,3,0,0,0,0.0,'{"metric":"Faithfulness","spec":"faithfulness","score":1.0,"success":true,"reason":"1 of 1 claims are supported.","threshold":0.5,"higher_is_better":true,"error":null,"skipped":false,"metadata":{"claims":["The answer is 3."],"truths":["The answer is 3."],"verdicts":[{"statement":"The answer is 3.","verdict":"yes","reason":"the passage says so","passage":1,"span":[0,15],"probability":0.991082582622641}]},"usage":{"calls":3,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":491.57283500017,"case_id":"11ba1792c4b1980a","judge":"local"}',11,-0.5);
INSERT INTO "results" VALUES(1,4,1,'b6c5316267573bef53b41f8d042f516c','f762b3563cc68442','Faithfulness','faithfulness','PASS',1.0,1,NULL,5.27476315999592770822e+02,3,0,0,0,0.0,'{"metric":"Faithfulness","spec":"faithfulness","score":1.0,"success":true,"reason":"1 of 1 claims are supported.","threshold":0.5,"higher_is_better":true,"error":null,"skipped":false,"metadata":{"claims":["The answer is 4."],"truths":["The answer is 4."],"verdicts":[{"statement":"The answer is 4.","verdict":"yes","reason":"the passage says so","passage":1,"span":[0,15],"probability":0.9912272895939427}]},"usage":{"calls":3,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":527.4763159995928,"case_id":"f762b3563cc68442","judge":"local"}',12,-0.5);
INSERT INTO "results" VALUES(2,0,0,'ada67dbe0e3356d382378405548f534d','172aa3057d1bde78','ExactMatch','exact_match','PASS',1.0,1,NULL,4.41889997091493569314e-02,0,0,0,0,0.0,'{"metric":"ExactMatch","spec":"exact_match","score":1.0,"success":true,"reason":"The actual output is the expected output.","threshold":1.0,"higher_is_better":true,"error":null,"skipped":false,"metadata":{"expected":"The answer is 0.","actual":"The answer is 0.","case_sensitive":true,"normalize_whitespace":false},"usage":{"calls":0,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":0.04418899970914936,"case_id":"172aa3057d1bde78","judge":"local"}',1,0.0);
INSERT INTO "results" VALUES(2,1,0,'d6e7baf4cded02467de84c6548851ac7','9640285550fa898d','ExactMatch','exact_match','PASS',1.0,1,NULL,1.50889995893521700054e-02,0,0,0,0,0.0,'{"metric":"ExactMatch","spec":"exact_match","score":1.0,"success":true,"reason":"The actual output is the expected output.","threshold":1.0,"higher_is_better":true,"error":null,"skipped":false,"metadata":{"expected":"The answer is 1.","actual":"The answer is 1.","case_sensitive":true,"normalize_whitespace":false},"usage":{"calls":0,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":0.01508899958935217,"case_id":"9640285550fa898d","judge":"local"}',2,0.0);
INSERT INTO "results" VALUES(2,2,0,'4ca8238c15332bebcf6d5319ee1917db','566cbf66b16acfb5','ExactMatch','exact_match','PASS',1.0,1,NULL,1.50060000123630743473e-02,0,0,0,0,0.0,'{"metric":"ExactMatch","spec":"exact_match","score":1.0,"success":true,"reason":"The actual output is the expected output.","threshold":1.0,"higher_is_better":true,"error":null,"skipped":false,"metadata":{"expected":"The answer is 2.","actual":"The answer is 2.","case_sensitive":true,"normalize_whitespace":false},"usage":{"calls":0,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":0.015006000012363074,"case_id":"566cbf66b16acfb5","judge":"local"}',3,0.0);
INSERT INTO "results" VALUES(2,3,0,'4ff7c8e5e363557d5e891640f06ffafc','11ba1792c4b1980a','ExactMatch','exact_match','FAIL',0.0,0,NULL,1.30349999380996450781e-02,0,0,0,0,0.0,'{"metric":"ExactMatch","spec":"exact_match","score":0.0,"success":false,"reason":"The actual output differs from the expected one.","threshold":1.0,"higher_is_better":true,"error":null,"skipped":false,"metadata":{"expected":"The answer is 0.","actual":"The answer is 3.","case_sensitive":true,"normalize_whitespace":false},"usage":{"calls":0,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":0.013034999938099645,"case_id":"11ba1792c4b1980a","judge":"local"}',4,1.0);
INSERT INTO "results" VALUES(2,4,0,'b6c5316267573bef53b41f8d042f516c','f762b3563cc68442','ExactMatch','exact_match','FAIL',0.0,0,NULL,1.096699998015537858e-02,0,0,0,0,0.0,'{"metric":"ExactMatch","spec":"exact_match","score":0.0,"success":false,"reason":"The actual output differs from the expected one.","threshold":1.0,"higher_is_better":true,"error":null,"skipped":false,"metadata":{"expected":"The answer is 1.","actual":"The answer is 4.","case_sensitive":true,"normalize_whitespace":false},"usage":{"calls":0,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":0.010966999980155379,"case_id":"f762b3563cc68442","judge":"local"}',5,1.0);
INSERT INTO "results" VALUES(2,5,0,'0c332379c57a82df988588b1075b9691','040f51cbc72cc2d9','ExactMatch','exact_match','ERROR',NULL,0,'MissingField',4.78639999528240878134e-02,0,0,0,0,0.0,'{"metric":"ExactMatch","spec":"exact_match","score":null,"success":false,"reason":null,"threshold":1.0,"higher_is_better":true,"error":"MissingField: ExactMatch needs ''actual_output'' and ''expected_output'': not given by test case ''040f51cbc72cc2d9''. Fill in ''actual_output'' and ''expected_output'', or leave the metric out.","skipped":false,"metadata":{},"usage":{"calls":0,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":0.04786399995282409,"case_id":"040f51cbc72cc2d9","judge":"local"}',6,NULL);
INSERT INTO "results" VALUES(2,5,1,'0c332379c57a82df988588b1075b9691','040f51cbc72cc2d9','Faithfulness','faithfulness','ERROR',NULL,0,'MissingField',2.92589998025505337864e-02,0,0,0,0,0.0,'{"metric":"Faithfulness","spec":"faithfulness","score":null,"success":false,"reason":null,"threshold":0.5,"higher_is_better":true,"error":"MissingField: Faithfulness needs ''actual_output'' and ''retrieval_context'': not given by test case ''040f51cbc72cc2d9''. Fill in ''actual_output'' and ''retrieval_context'', or leave the metric out.","skipped":false,"metadata":{},"usage":{"calls":0,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":0.029258999802550534,"case_id":"040f51cbc72cc2d9","judge":"local"}',7,NULL);
INSERT INTO "results" VALUES(2,0,1,'ada67dbe0e3356d382378405548f534d','172aa3057d1bde78','Faithfulness','faithfulness','PASS',1.0,1,NULL,1.38524213999971834709e+02,3,0,0,0,0.0,'{"metric":"Faithfulness","spec":"faithfulness","score":1.0,"success":true,"reason":"1 of 1 claims are supported.","threshold":0.5,"higher_is_better":true,"error":null,"skipped":false,"metadata":{"claims":["The answer is 0."],"truths":["The answer is 0."],"verdicts":[{"statement":"The answer is 0.","verdict":"yes","reason":"the passage says so","passage":1,"span":[0,15],"probability":0.9910825824154761}]},"usage":{"calls":3,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":138.52421399997183,"case_id":"172aa3057d1bde78","judge":"local"}',8,-0.5);
INSERT INTO "results" VALUES(2,1,1,'d6e7baf4cded02467de84c6548851ac7','9640285550fa898d','Faithfulness','faithfulness','PASS',1.0,1,NULL,1.38526199999887467129e+02,3,0,0,0,0.0,'{"metric":"Faithfulness","spec":"faithfulness","score":1.0,"success":true,"reason":"1 of 1 claims are supported.","threshold":0.5,"higher_is_better":true,"error":null,"skipped":false,"metadata":{"claims":["The answer is 1."],"truths":["The answer is 1."],"verdicts":[{"statement":"The answer is 1.","verdict":"yes","reason":"the passage says so","passage":1,"span":[0,15],"probability":0.9910825826236435}]},"usage":{"calls":3,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":138.52619999988747,"case_id":"9640285550fa898d","judge":"local"}',9,-0.5);
INSERT INTO "results" VALUES(2,2,1,'4ca8238c15332bebcf6d5319ee1917db','566cbf66b16acfb5','Faithfulness','faithfulness','PASS',1.0,1,NULL,1.38508805000128631945e+02,3,0,0,0,0.0,'{"metric":"Faithfulness","spec":"faithfulness","score":1.0,"success":true,"reason":"1 of 1 claims are supported.","threshold":0.5,"higher_is_better":true,"error":null,"skipped":false,"metadata":{"claims":["The answer is 2."],"truths":["The answer is 2."],"verdicts":[{"statement":"The answer is 2.","verdict":"yes","reason":"the passage says so","passage":1,"span":[0,15],"probability":0.991082582823816}]},"usage":{"calls":3,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":138.50880500012863,"case_id":"566cbf66b16acfb5","judge":"local"}',10,-0.5);
INSERT INTO "results" VALUES(2,3,1,'4ff7c8e5e363557d5e891640f06ffafc','11ba1792c4b1980a','Faithfulness','faithfulness','PASS',1.0,1,NULL,1.38471552999817504314e+02,3,0,0,0,0.0,'{"metric":"Faithfulness","spec":"faithfulness","score":1.0,"success":true,"reason":"1 of 1 claims are supported.","threshold":0.5,"higher_is_better":true,"error":null,"skipped":false,"metadata":{"claims":["The answer is 3."],"truths":["The answer is 3."],"verdicts":[{"statement":"The answer is 3.","verdict":"yes","reason":"the passage says so","passage":1,"span":[0,15],"probability":0.991082582622641}]},"usage":{"calls":3,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":138.4715529998175,"case_id":"11ba1792c4b1980a","judge":"local"}',11,-0.5);
INSERT INTO "results" VALUES(2,4,1,'b6c5316267573bef53b41f8d042f516c','f762b3563cc68442','Faithfulness','faithfulness','PASS',1.0,1,NULL,1.38466358999721705913e+02,3,0,0,0,0.0,'{"metric":"Faithfulness","spec":"faithfulness","score":1.0,"success":true,"reason":"1 of 1 claims are supported.","threshold":0.5,"higher_is_better":true,"error":null,"skipped":false,"metadata":{"claims":["The answer is 4."],"truths":["The answer is 4."],"verdicts":[{"statement":"The answer is 4.","verdict":"yes","reason":"the passage says so","passage":1,"span":[0,15],"probability":0.9912272895939427}]},"usage":{"calls":3,"input_tokens":0,"output_tokens":0,"cached_tokens":0},"evaluation_cost":0.0,"latency_ms":138.4663589997217,"case_id":"f762b3563cc68442","judge":"local"}',12,-0.5);
CREATE TABLE runs (
	number INTEGER NOT NULL, 
	id VARCHAR(64) NOT NULL, 
	name TEXT, 
	dataset TEXT, 
	judge TEXT NOT NULL, 
	started VARCHAR(40) NOT NULL, 
	state VARCHAR(16) NOT NULL, 
	why TEXT NOT NULL, 
	seconds FLOAT NOT NULL, 
	rejected TEXT NOT NULL, 
	version VARCHAR(32) NOT NULL, 
	body TEXT NOT NULL, 
	tags TEXT DEFAULT '[]' NOT NULL, 
	total BIGINT, 
	done BIGINT DEFAULT '0' NOT NULL, 
	serial BIGINT DEFAULT '0' NOT NULL, 
	heard VARCHAR(40) DEFAULT '' NOT NULL, 
	PRIMARY KEY (number), 
	UNIQUE (id)
);
INSERT INTO "runs" VALUES(1,'20261122T041657-901c16','first','the list','local','2026-11-22T04:16:57.142244+00:00','complete','',5.93409403999885398661e-01,'[]','0.1.0','{"id":"20261122T041657-901c16","plan":{"metrics":["exact_match","faithfulness"],"judge":"local","concurrency":16,"timeout":60.0,"measurement_timeout":null,"on_missing":"error","optional":[],"rpm":null,"tpm":null,"max_cost":null,"repeats":1,"batch":false,"batch_interval":null,"cluster":null,"dataset":"the list","name":"first","tags":[],"prompts":{}},"started":"2026-11-22T04:16:57.142244Z","notes":[]}','[]',12,12,12,'2026-11-22T04:16:57.735837+00:00');
INSERT INTO "runs" VALUES(2,'20261122T041657-0851f9','second','the list','local','2026-11-22T04:16:57.757314+00:00','complete','',1.98831033999795181443e-01,'[]','0.1.0','{"id":"20261122T041657-0851f9","plan":{"metrics":["exact_match","faithfulness"],"judge":"local","concurrency":16,"timeout":60.0,"measurement_timeout":null,"on_missing":"error","optional":[],"rpm":null,"tpm":null,"max_cost":null,"repeats":1,"batch":false,"batch_interval":null,"cluster":null,"dataset":"the list","name":"second","tags":[],"prompts":{}},"started":"2026-11-22T04:16:57.757314Z","notes":[]}','[]',12,12,12,'2026-11-22T04:16:57.956288+00:00');
CREATE TABLE tallies (
	run INTEGER NOT NULL, 
	metric_index INTEGER NOT NULL, 
	metric TEXT NOT NULL, 
	spec TEXT NOT NULL, 
	passed BIGINT NOT NULL, 
	missed BIGINT NOT NULL, 
	failed BIGINT NOT NULL, 
	skipped BIGINT NOT NULL, 
	score FLOAT NOT NULL, 
	squares FLOAT NOT NULL, 
	latency_ms FLOAT NOT NULL, 
	calls BIGINT NOT NULL, 
	input_tokens BIGINT NOT NULL, 
	output_tokens BIGINT NOT NULL, 
	cached_tokens BIGINT NOT NULL, 
	cost FLOAT NOT NULL, 
	unpriced BIGINT NOT NULL, 
	PRIMARY KEY (run, metric_index)
);
INSERT INTO "tallies" VALUES(1,0,'ExactMatch','exact_match',3,2,1,0,3.0,3.0,2.0303400015109218657e-01,0,0,0,0,0.0,0);
INSERT INTO "tallies" VALUES(1,1,'Faithfulness','faithfulness',5,0,1,0,5.0,5.0,2.36786650599924541893e+03,15,0,0,0,0.0,0);
INSERT INTO "tallies" VALUES(2,0,'ExactMatch','exact_match',3,2,1,0,3.0,3.0,1.46149999181943712756e-01,0,0,0,0,0.0,0);
INSERT INTO "tallies" VALUES(2,1,'Faithfulness','faithfulness',5,0,1,0,5.0,5.0,6.92526389999329694546e+02,15,0,0,0,0.0,0);
CREATE INDEX runs_by_start ON runs (started, number);
CREATE INDEX results_by_metric ON results (run, metric_index, status, score);
CREATE INDEX results_by_case ON results (run, case_index, metric_index, status, score);
CREATE INDEX results_by_serial ON results (run, serial);
CREATE INDEX results_by_latency ON results (run, latency_ms);
CREATE INDEX exchanges_by_case ON exchanges (run, case_index);
CREATE INDEX places_by_question ON places (run, asked, named, passes, misses, case_index);
CREATE INDEX places_by_id ON places (run, named, passes, misses, case_index);
CREATE INDEX places_by_worst ON places (run, missed, shortfall, failed, case_index);
CREATE INDEX places_by_key ON places (case_key);
CREATE UNIQUE INDEX annotations_one ON annotations (run, case_index, about, statement, annotator);
COMMIT;
