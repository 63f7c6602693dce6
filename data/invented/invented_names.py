"""Names to invent organisations from: people, rooms, groups and what events are about.

First names stand in two lists, as a reply that says "her" or "his" has to stay true.
"""

from __future__ import annotations


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


FEMALE = _words("""
Agnes Aisha Alexandra Alexandria Alice Alicia Alison Amara Amelia Amina Amy Andrea Angela Anita
Anna Annika April Ashley Astrid Autumn Barbara Beatriz Becky Bella Beth Betty Bianca Brandi Brandy
Brenda Bridget Brittany Camille Candace Carla Carmen Carol Caroline Carrie Cassandra Catherine
Cecilia Charlotte Chelsea Chiara Chloe Christina Christine Cindy Clara Claudia Colleen Courtney
Cristina Crystal Dagny Daisy Dana Danielle Dawn Debbie Deborah Debra Delphine Denise Desiree Diana
Diane Donna Doris Dorothy Ebony Edda Eileen Elaine Elena Eliza Elizabeth Ella Ellen Elsa Emily
Emma Erica Erin Esther Eva Evelyn Farida Felicia Fiona Florence Frances Freya Gabriela Gail Gina
Gloria Grace Greta Gwendolyn Hana Hannah Harriet Heather Heidi Helen Holly Ida Ilse Ingrid Irene
Iris Isabel Isolde Jacqueline Jana Jane Janet Janice Jasmine Jean Jenna Jennifer Jenny Jessica
Jill Joan Joanna Jodi Jolanta Jolene Josephine Joyce Judith Judy Julia Julie June Kara Karen Kari
Karin Karla Kate Katherine Kathleen Kathryn Katie Katya Kayla Kelly Kendra Kim Kimberly Kirsten
Kristen Kristi Kristin Kristina Kristine Latoya Laura Lauren Leah Leila Lena Leslie Lillian Linda
Lindsay Lisa Liv Loretta Lori Lorraine Louise Lucia Lucy Lydia Lynn Madison Maeve Maggie Mallory
Mandy Margaret Maria Marianne Marie Marina Marissa Marit Martha Mary Maureen Megan Meghan Mei
Melanie Melissa Mercedes Mia Michele Michelle Mildred Miranda Miriam Misty Molly Monica Nadia
Nadine Nancy Naomi Natalie Natasha Nicole Nina Nora Olga Olivia Paige Paloma Pamela Patricia Paula
Peggy Penelope Petra Phyllis Priya Rachel Ramona Rebecca Regina Renee Rhonda Rita Roberta Robin
Robyn Rosa Rosalind Rose Ruth Sabrina Samantha Sandra Sara Sarah Selma Shannon Sharon Sheila
Shelby Sherri Sheryl Shirley Sigrid Silvia Sofia Sonia Soraya Stacey Stacy Stefanie Stella
Stephanie Sue Susan Suzanne Sylvia Tamara Tammy Tanya Tara Teresa Terri Thandi Theresa Tiffany
Tina Toni Traci Tracy Tricia Ulrika Ursula Valerie Vanessa Vera Veronica Vicki Victoria Viola
Virginia Vivian Wanda Wanjiru Wendy Whitney Yara Yolanda Yvette Yvonne Zara Zoe Zofia
""")
MALE = _words("""
Aaron Adam Adrian Alan Albert Alejandro Alex Alexander Alfred Allen Anders Andre Andrew Anthony
Antonio Arthur Austin Barry Ben Benjamin Bernard Bilal Bill Billy Bjorn Bobby Brad Bradley Brandon
Brendan Brent Brett Brian Bruce Bryan Caleb Callum Calvin Cameron Carl Carlos Casey Cesar Chad
Charles Chris Christian Christopher Clarence Clayton Clifford Cody Colin Connor Corey Cormac Cory
Craig Curt Curtis Dale Damian Dan Daniel Danny Darin Darrell Darren Darryl Dave David Dean Dennis
Derek Devin Diego Dmitri Dominic Don Donald Douglas Drew Duane Dustin Dylan Earl Eddie Edgar
Eduardo Edward Edwin Eivind Elias Elijah Elio Emeka Emmanuel Eric Erik Ernest Ethan Eugene Evan
Fabian Felix Fernando Francis Francisco Frank Fred Frederick Gabriel Garrett Gary Gavin Geoffrey
George Gerald Gideon Gilbert Glenn Goran Gordon Graham Grant Gregory Guy Harald Harold Harry
Hector Henrik Henry Herbert Howard Hugh Hugo Ian Imran Isaac Ismael Ivan Jack Jackson Jacob Jaime
Jake Jamal James Jared Jason Javier Jay Jeff Jeffrey Jeremiah Jeremy Jerome Jerry Jesse Jesus Jim
Jimmy Joaquin Joe Joel John Johnathan Johnny Jon Jonathan Jordan Jorge Jose Joseph Joshua Juan
Julian Julio Justin Kaito Karl Keith Ken Kenneth Kevin Kristian Kurt Kyle Lance Larry Lars
Lawrence Lee Leif Leo Leon Leonard Lewis Lonnie Lorenzo Louis Lucas Luis Luke Malik Manuel Marco
Marcos Marcus Mario Mark Martin Marvin Mateo Matthew Maurice Max Melvin Michael Micheal Miguel
Mike Mitchell Mohammed Morten Nathan Nathaniel Neil Nicholas Nikhil Nils Noah Norman Oliver Omar
Oscar Oskar Owen Pablo Patrick Paul Pedro Per Perry Peter Philip Phillip Preston Quentin Rafael
Ralph Ramiro Ramon Randall Randy Raul Ray Raymond Reginald Ricardo Richard Rick Robert Roberto
Rodney Roger Roland Roman Ron Ronald Ross Roy Ruben Rudy Russell Ryan Salvador Sam Samuel Sanjay
Scott Sean Sebastian Sergio Seth Shane Shaun Shawn Simon Spencer Stanley Stefan Stephen Stephon
Steve Steven Stuart Tadeusz Taylor Ted Terrence Terry Theodore Thomas Tim Timothy Tobias Todd Tom
Tomas Tony Travis Trevor Troy Tyler Tyrone Vernon Victor Viktor Vincent Walter Warren Wayne Wesley
William Wyatt Xavier Yusuf Zachary Zane
""")
LAST = _words("""
Abara Abbott Adams Adkins Albrecht Alexander Allen Almeida Alvarez Andersen Anderson Andrews
Archer Armstrong Arnold Austin Bailey Baker Bakker Baldwin Banks Barker Barnes Barrett Barton
Bates Beck Bell Bennett Benson Berg Bergstrom Berry Bianchi Bishop Black Blair Blake Bowen Bowman
Boyd Bradley Brady Brewer Bridges Briggs Brooks Brown Bryant Buchanan Burgess Burke Burns Burton
Bush Butler Byrd Caldwell Campbell Cannon Carlson Carpenter Carr Carroll Carter Castillo Castro
Cervantes Chambers Chandler Chang Chapman Chase Chaudhry Chavez Chen Christensen Church Clark
Clarke Clayton Clements Cobb Cohen Cole Coleman Collins Conley Conner Cook Cooper Cortez Costa Cox
Craig Crawford Cruz Cunningham Curry Curtis Dahl Dalton Daniels Davenport Davidson Davies Davis
Dawson Day Dean Decker Delacroix Delgado Demir Dennis Diaz Dickson Dixon Dominguez Doyle Drake
Dudley Duncan Dunn Duran Dyer Eaton Edwards Elliott Ellis Ellison Emerson Erickson Eriksen
Espinoza Estrada Evans Farkas Farrell Faulkner Ferguson Fernandez Fields Fischer Fisher Fitzgerald
Fleming Fletcher Flores Flynn Ford Foster Fowler Fox Franklin Frazier Freeman French Fuller
Gallagher Garcia Gardner Garner Garrett Garza George Ghosh Gibson Gilbert Giles Gomez Gonzales
Goodman Gordon Graham Grant Gray Green Greene Griffin Griffith Gross Guerrero Gutierrez Haddad
Hale Hall Hamilton Hammond Hampton Hancock Hansen Hanson Hardy Harmon Harper Harrington Harris
Harrison Hart Harvey Hawkins Hayes Haynes Heath Henderson Henry Hensley Hernandez Herrera Hicks
Higgins Hill Hines Hodge Hoffman Hogan Holland Holloway Holm Holmes Holt Hood Hopkins Horn Horton
House Houston Howard Howe Howell Hubbard Hudson Huffman Hughes Hunt Hunter Hurst Ibarra Ingram
Irwin Ivanova Jackson Jacobs James Jansen Jarvis Jefferson Jenkins Jennings Jensen Jimenez
Johansen Johns Johnson Johnston Jones Jordan Jovanovic Joyce Kamau Keller Kelley Kemp Kennedy Kent
Kerr King Kirby Klein Kline Knapp Knight Knox Koch Kowalczyk Kramer Kuznetsov Lambert Landry Lane
Lang Larsen Lawrence Lawson Le Leach Leblanc Leon Leonard Lester Levy Lewis Lindqvist Lindsey
Little Livingston Lloyd Logan Lombardi Long Lopez Lowe Lozano Lucas Luna Lynch Lyons Macdonald
Mack Macleod Madden Maldonado Malone Manning Marks Marsh Marshall Martin Martinez Mason Matthews
Maxwell May Mayer Maynard Mcbride Mccarthy Mcconnell Mccoy Mcdonald Mcgee Mcguire Mckenzie Mclean
Mcmillan Meadows Mejia Mendez Mercado Merritt Meyer Michael Middleton Miles Miller Mills Miranda
Monroe Montgomery Montoya Moody Moon Moore Morales Moran Moreau Moreno Morgan Morris Morrison
Morrow Moses Mosley Moyer Mullins Munoz Murphy Murray Myers Nakamura Nash Navarro Neal Nelson
Newman Newton Nguyen Nichols Nielsen Nixon Noble Nolan Norman Norris Norton Novak Nunez Nygaard
Obrien Oduya Okafor Oliver Olsen Olson Oneal Orozco Ortega Osborne Owens Pace Padilla Page Palmer
Papadakis Park Parker Parrish Parsons Patel Patrick Patterson Paul Payne Pearson Pena Pennington
Pereira Perez Perkins Perry Peters Petersen Peterson Phelps Phillips Pierce Pittman Poole Pope
Porter Potter Powell Powers Pratt Preston Price Proctor Pruitt Quinn Qureshi Ramirez Ramos Ramsey
Randall Rasmussen Ray Raymond Reed Reese Reeves Reid Reilly Reyes Reynolds Rhodes Rice Rich
Richards Richardson Riley Rios Rivas Rivera Roach Robbins Roberts Robertson Robinson Rodgers
Rogers Roman Romero Rosales Rose Ross Rossi Roth Rowe Rowland Rubio Ruiz Rush Russell Russo Ryan
Salas Salazar Salinas Sampson Sanders Sandoval Santana Santiago Sato Saunders Savage Sawyer
Schmidt Schneider Schreiber Schultz Schwartz Scott Sellers Serrano Sexton Shaffer Shah Shannon
Sharp Shaw Shelton Shepard Sherman Shields Short Silva Simmons Simon Sims Singh Skinner Sloan
Small Smith Snow Snyder Solis Solomon Sorensen Soto Sparks Spears Spencer Stafford Stanley Stanton
Steele Stein Stephens Stephenson Stevens Stewart Stokes Stone Strickland Strong Suarez Sullivan
Summers Sutton Swanson Sweeney Tanaka Tate Taylor Terry Thompson Thorne Thornton Todd Toivonen
Torres Townsend Tran Trevino Trujillo Tucker Turner Tyler Uchida Underwood Valdez Valencia Vance
Vargas Vasquez Vaughan Velasquez Velez Villa Virtanen Wade Wagner Walker Wall Wallace Walsh Walter
Walters Walton Wang Ward Ware Warner Warren Washington Waters Watkins Watson Watts Weaver Webb
Weber Webster Weeks Weiss Welch Wells West Wheeler Whitaker White Whitehead Wiggins Wilcox Wiley
Wilkins Wilkinson Williams Williamson Willis Wilson Winters Wise Wolf Wong Wood Woodard Woods
Woodward Wright Wu Wyatt Yamada Yang Yates Yilmaz York Young Zamora Zeller Zhang Zielinski
Zimmerman
""")

#: Meeting rooms of one building are named after things of one kind.
ROOMS = (
    _words("Alpha Beta Gamma Delta Epsilon Zeta Theta Kappa Lambda Sigma Omega Omicron"),
    _words("Alpha Beta Gamma Delta Epsilon Zeta Iota Sigma Omega Phi Psi Rho"),
    _words("Juniper Sorrel Marram Heather Bracken Tansy Yarrow Gorse Clover Rowan Sedge"),
    _words("Mercury Venus Mars Jupiter Saturn Neptune Orion Vega Sirius Pluto"),
    _words("Amber Jade Opal Coral Pearl Quartz Ruby Topaz Onyx Sapphire"),
    _words("Danube Volga Thames Rhine Loire Tagus Oder Elbe Tiber Shannon"),
    _words("Falcon Heron Kestrel Lark Osprey Puffin Raven Robin Swift Wren"),
    _words("Curie Darwin Euler Faraday Gauss Hopper Kepler Lovelace Newton Turing"),
)
GROUPS = (
    "Engineering", "Mathematics", "Physics", "Chemistry", "Biology", "History", "Philosophy",
    "Law", "Economics", "Geology", "Astronomy", "Linguistics", "Statistics", "Robotics", "Optics",
    "Medicine", "Climate", "Energy", "Healthcare", "Education", "Marketing", "Finance", "Legal",
    "Logistics", "Procurement", "Administration", "Communications", "Research", "Security",
    "Product Design", "Customer Care", "Human Resources", "Field Service", "Quality", "Sales",
    "Data Science", "Infrastructure", "Accounting", "Psychology", "Sociology", "Library",
    "Software", "Transport", "Nutrition", "Architecture", "Aviation", "Forestry", "Fisheries",
)
TOPICS = (
    "accounts", "accessibility", "advertising", "algorithms", "analytics", "archives", "assets",
    "audits", "automation", "backlog", "benchmarks", "benefits", "branding", "budget", "campaigns",
    "capacity", "catalogues", "clients", "collaboration", "compliance", "components", "concepts",
    "contracts", "cooperation", "corrosion", "customers", "cyber-safety", "dashboards",
    "data-quality", "databases", "deadlines", "deliveries", "demand", "designs", "devices",
    "diversity", "documents", "e-learning", "e-mobility", "e-payments", "efficiency", "emissions",
    "energy", "ethics", "expenses", "exports", "facilities", "features", "feedback", "forecasts",
    "frameworks", "funding", "goals", "governance", "growth", "guidelines", "hardware", "hiring",
    "ideas", "imports", "incentives", "indicators", "innovation", "insights", "inspections",
    "insurance", "integration", "inventory", "investments", "laboratory", "languages", "launches",
    "leadership", "leads", "learning", "licences", "logistics", "loyalty", "machines",
    "maintenance", "materials", "measurements", "mergers", "milestones", "mobile", "modules",
    "newsletters", "numbers", "objectives", "offers", "office-move", "onboarding", "operations",
    "opportunities", "outreach", "packaging", "patents", "payroll", "performance", "permits",
    "policies", "pricing", "priorities", "privacy", "processes", "procurement", "products",
    "proposals", "prototypes", "publications", "quality", "questionnaires", "recruitment",
    "recycling", "redesign", "releases", "reports", "requirements", "resources", "retail",
    "reviews", "risks", "roadmap", "robots", "safety", "samples", "scenarios", "schedules",
    "security", "sensors", "services", "shipping", "sites", "skills", "software", "sponsors",
    "standards", "start-ups", "statistics", "storage", "strategies", "subscriptions", "suppliers",
    "support", "surveys", "sustainability", "targets", "teamwork", "templates", "tenders",
    "testing", "toolkits", "trade-fair", "training", "transitions", "travel", "trends",
    "usability", "vendors", "visitors", "warranties", "websites", "well-being", "workflows",
)
KINDS = ("team meeting", "project meeting", "status update", "workshop", "seminar", "discussion",
         "review", "briefing", "planning session", "kick-off", "presentation", "interview",
         "training", "brainstorm")
